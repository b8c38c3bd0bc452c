"""Opening a store: where it is, which version it has, and what to say when it cannot be used."""

from __future__ import annotations

import random
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorerkit.errors import Inconclusive, ScorerkitError
from scorerkit.store.backends import backend_of
from scorerkit.store.backends.sqlite import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection, Engine

    from scorerkit.store.backends import Backend

FILE = "scorerkit.db"

MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    1: lambda _connection: None,  # the tables of experiments came, and tables that are missing are made anyway
}
"""Version → what brings a store of that version to the next one."""


TOGETHER_SECONDS = 10
_TOGETHER = ("already exists", "is locked", "UNIQUE constraint", "duplicate key")
"""What drivers say of two processes that make a store at the same time."""

_FIX = "make it writable, name another with 'store', or --no-store"
_FIXES = {
    "is full": "make room",
    "No space left": "make room",
    "not a database": "it is something else, or damaged: name another with 'store'",
    "malformed": "it is damaged: move it away, and a new one is made",
    "is locked": "wait until the process that holds it lets go, or name another with 'store'",
}
"""What the driver says → what helps."""


class StoreUnusableError(Inconclusive):
    """The store cannot be opened, read or written."""

    code = "store-unusable"


class NewerStoreError(ScorerkitError):
    """The store was written by a release that this one cannot read."""

    code = "store-unusable"


@dataclass(frozen=True, slots=True)
class Database:
    """An open store; ``shown`` is how messages name it."""

    backend: Backend
    engine: Engine

    @property
    def shown(self) -> str:
        return self.backend.shown

    def driver_connection(self) -> Any:
        """A connection of the driver itself, for what must be fast."""
        with self.told():
            return self.backend.connect()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Failures of the driver as one sentence."""
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            raise unusable(self.shown, error) from error
        except self.backend.own_errors() as error:
            raise unusable(self.shown, error) from error

    def close(self) -> None:
        """Give the file back."""
        self.engine.dispose()


def default_path(root: Path) -> Path:
    """Where the store of a project is."""
    return root / FOLDER / FILE


def open_database(address: str | Path) -> Database:
    """Open a store, made when it is not there, brought to this release's version when it is older.

    Args:
        address: a path, or ``postgresql://…``.

    Raises:
        StoreUnusableError: read-only, locked, damaged or not reachable.
        NewerStoreError: written by a newer release.
        MissingExtra: its driver is not installed.
    """
    try:
        backend = backend_of(str(address))
    except OSError as error:
        raise unusable(str(address), error) from error
    database = Database(backend, backend.engine())
    try:
        _open(database)
    except BaseException:
        database.close()
        raise
    return database


def _open(database: Database) -> None:
    """Make the tables that are not there. Of several processes that do so at once, all but one find them made."""
    end = time.monotonic() + TOGETHER_SECONDS
    while True:
        try:
            with database.told(), database.engine.begin() as connection:
                _bring_up_to_date(connection, database.shown)
        except StoreUnusableError as error:
            if time.monotonic() > end or not any(sign in error.message for sign in _TOGETHER):
                raise
            time.sleep(random.uniform(0.01, 0.05))  # noqa: S311 - so that they do not meet again
        else:
            return


def _bring_up_to_date(connection: Connection, shown: str) -> None:
    from sqlalchemy import insert, inspect, select, update

    from scorerkit.store.tables import METADATA, SETTINGS, VERSION

    found = None
    if inspect(connection).has_table(SETTINGS.name):
        found = connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == "version")).scalar()
    version = VERSION if found is None else int(found)
    if version > VERSION:
        message = f"the store {shown} was written by a newer release (version {version}, this one reads {VERSION})"
        raise NewerStoreError(message, fix="upgrade scorerkit, or use --no-store")
    if found is not None and version == VERSION:
        return
    METADATA.create_all(connection, checkfirst=True)
    if found is None:
        connection.execute(insert(SETTINGS).values(name="version", value=str(VERSION)))
    while version < VERSION:
        MIGRATIONS[version](connection)
        version += 1
        connection.execute(update(SETTINGS).where(SETTINGS.c.name == "version").values(value=str(version)))


def unusable(shown: str, error: BaseException) -> StoreUnusableError:
    """The error for whatever the driver said."""
    cause = getattr(error, "orig", None) or error
    words = " ".join((getattr(cause, "strerror", None) or str(cause)).split())
    fix = next((fix for sign, fix in _FIXES.items() if sign in words), _FIX)
    return StoreUnusableError(f"the store {shown} cannot be used: {words}", fix=fix)
