"""SQLite: one file, readers and one writer at a time."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sqlalchemy import Engine, Table

FOLDER = ".scorerkit"
WAIT_SECONDS = 10


def open_backend(address: str) -> Sqlite:
    """The backend of a file; its folder is made, and keeps itself out of version control."""
    path = Path(address)
    path.parent.mkdir(parents=True, exist_ok=True)
    ignore = path.parent / ".gitignore"
    if path.parent.name == FOLDER and not ignore.exists():
        ignore.write_text("*\n", "utf-8")
    return Sqlite(path)


class Sqlite:
    """Satisfies :class:`scorerkit.store.backends.Backend`."""

    mark = "?"
    remote = False

    def __init__(self, path: Path) -> None:
        self.shown = str(path)
        self._path = path

    def engine(self) -> Engine:
        from sqlalchemy import create_engine

        return create_engine(f"sqlite:///{self._path}", creator=self.connect)

    def connect(self) -> sqlite3.Connection:
        """WAL, and after a power cut at most the last moment is missing."""
        connection = sqlite3.connect(self._path, timeout=WAIT_SECONDS, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        return connection

    def transaction(self, connection: sqlite3.Connection) -> AbstractContextManager[Any]:
        return connection

    def insert(self, connection: sqlite3.Connection, table: Table, rows: list[tuple[Any, ...]], *, again: bool) -> None:
        verb = "INSERT OR REPLACE" if again else "INSERT"
        names = table.columns.keys()
        marks = ", ".join("?" * len(names))
        connection.executemany(f"{verb} INTO {table.name} ({', '.join(names)}) VALUES ({marks})", rows)

    def hold(self, number: int) -> AbstractContextManager[Any] | None:
        """One byte of a file beside the store: the system lets go of it whatever ends the process."""
        held = ExitStack()
        file = Path(f"{self._path}.lock").open("a+b")  # noqa: SIM115 - open for as long as it is held
        held.callback(file.close)
        try:
            import fcntl

            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except ImportError:
            pass
        except OSError:
            held.close()
            return None
        return held

    def own_errors(self) -> tuple[type[BaseException], ...]:
        return (sqlite3.Error,)
