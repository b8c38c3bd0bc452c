"""What is kept between runs: experiments with their results, and the judge's answers. SQLite or PostgreSQL."""

from __future__ import annotations

from scorerkit.store.answers import AnswerCache
from scorerkit.store.database import Database, default_path, open_database
from scorerkit.store.log import ExperimentLog
from scorerkit.store.writer import Writer

__all__ = ["AnswerCache", "Database", "ExperimentLog", "Writer", "default_path", "open_database"]
