"""What is kept between runs: the judge's answers. One SQLite file in the project's ``.scorerkit`` folder."""

from __future__ import annotations

from scorerkit.store.answers import AnswerCache
from scorerkit.store.database import Database, default_path, open_database

__all__ = ["AnswerCache", "Database", "default_path", "open_database"]
