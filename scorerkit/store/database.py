"""Opening a store: where it is, which version it has, and what to say when it cannot be used."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection, Engine

FOLDER = ".scorerkit"
FILE = "scorerkit.db"
WAIT_SECONDS = 10

MIGRATIONS: dict[int, Callable[[Connection], None]] = {}
"""Version → what brings a store of that version to the next one."""


class StoreUnusableError(ScorerkitError):
    """The store cannot be opened, read or written."""

    exit_code = 3
    code = "store-unusable"


@dataclass(frozen=True, slots=True)
class Database:
    """An open store; ``shown`` is how messages name it."""

    engine: Engine
    shown: str

    def driver_connection(self) -> Any:
        """A connection of the driver itself, for what must be fast."""
        return self.engine.raw_connection()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Failures of the driver as one sentence."""
        import sqlite3

        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise unusable(self.shown, error) from error

    def close(self) -> None:
        """Give the file back."""
        self.engine.dispose()


def default_path(root: Path) -> Path:
    """Where the store of a project is."""
    return root / FOLDER / FILE


def open_database(path: Path) -> Database:
    """Open a store, made when it is not there, brought to this release's version when it is older.

    Raises:
        StoreUnusableError: read-only, locked, damaged, or of a newer release.
    """
    from sqlalchemy import create_engine, event

    shown = str(path)
    try:
        _make_folder(path.parent)
    except OSError as error:
        raise unusable(shown, error) from error
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": WAIT_SECONDS, "check_same_thread": False})
    event.listen(engine, "connect", _prepare_connection)
    database = Database(engine, shown)
    with database.told(), engine.begin() as connection:
        _bring_up_to_date(connection, shown)
    return database


def _make_folder(folder: Path) -> None:
    """The store's folder keeps itself out of version control."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if folder.name == FOLDER and not ignore.exists():
        ignore.write_text("*\n", "utf-8")


def _prepare_connection(connection: Any, _record: Any) -> None:
    """Readers and one writer at a time; after a power cut at most the last moment is missing."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


def _bring_up_to_date(connection: Connection, shown: str) -> None:
    from sqlalchemy import insert, select, update

    from scorerkit.store.tables import METADATA, SETTINGS, VERSION

    METADATA.create_all(connection, checkfirst=True)
    found = connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == "version")).scalar()
    if found is None:
        connection.execute(insert(SETTINGS).values(name="version", value=str(VERSION)))
        return
    version = int(found)
    if version > VERSION:
        message = f"the store {shown} was written by a newer release (version {version}, this one reads {VERSION})"
        raise StoreUnusableError(message, fix="upgrade scorerkit, or use --no-store")
    while version < VERSION:
        MIGRATIONS[version](connection)
        version += 1
        connection.execute(update(SETTINGS).where(SETTINGS.c.name == "version").values(value=str(version)))


def unusable(shown: str, error: BaseException) -> StoreUnusableError:
    """The error for whatever the driver said."""
    cause = getattr(error, "orig", None) or error
    words = getattr(cause, "strerror", None) or str(cause)
    return StoreUnusableError(
        f"the store {shown} cannot be used: {words}", fix="make it writable, name another with 'store', or --no-store"
    )
