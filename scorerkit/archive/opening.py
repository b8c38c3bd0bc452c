"""The store of a project, opened for what is in it; nothing is made where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scorerkit.errors import ScorerkitError
from scorerkit.store import open_database
from scorerkit.store.reading import Reader

if TYPE_CHECKING:
    from scorerkit.settings import Settings


def exists(address: str) -> bool:
    """Whether there is a store to read; a server is asked when it is opened."""
    return "://" in address or Path(address).is_file()


def open_reader(settings: Settings) -> Reader:
    """The project's store.

    Raises:
        ScorerkitError: there is none, or it cannot be used.
    """
    if not exists(settings.store):
        message = f"no experiment is kept: there is no store at {settings.store}"
        raise ScorerkitError(message, code="unknown-experiment", fix="scorerkit run keeps what it scores")
    return Reader(open_database(settings.store))
