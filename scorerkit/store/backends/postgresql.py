"""PostgreSQL, by psycopg."""

from __future__ import annotations

from contextlib import ExitStack
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from scorerkit.errors import MissingExtra, ScorerkitError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sqlalchemy import Engine, Table

WAIT_SECONDS = 10
LOCKS = 0x5C0_4E4
"""First half of the keys of our advisory locks; the second is an experiment's number."""


def open_backend(address: str) -> Postgresql:
    """The backend of ``postgresql://…``."""
    if find_spec("psycopg") is None:
        raise MissingExtra("postgres", "a store at a postgresql:// address")
    return Postgresql(address)


class Postgresql:
    """Satisfies :class:`scorerkit.store.backends.Backend`."""

    mark = "%s"
    remote = True

    def __init__(self, address: str) -> None:
        from sqlalchemy import make_url
        from sqlalchemy.exc import ArgumentError

        try:
            url = make_url(address)
        except (ArgumentError, ValueError):
            message = "the address of the store cannot be read"
            raise ScorerkitError(message, fix="write it as postgresql://USER@HOST:PORT/DATABASE") from None
        self._url = url.set(drivername="postgresql+psycopg")
        self.shown = url.set(drivername="postgresql", username=None, password=None, query={}).render_as_string()

    def engine(self) -> Engine:
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool

        return create_engine(self._url, connect_args={"connect_timeout": WAIT_SECONDS}, poolclass=NullPool)

    def connect(self) -> Any:
        """Commits return before the disk has them: after a power cut at most the last second is missing."""
        import psycopg

        url = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        connection = psycopg.connect(url, autocommit=True, connect_timeout=WAIT_SECONDS)
        connection.execute("SET synchronous_commit TO off")
        return connection

    def transaction(self, connection: Any) -> AbstractContextManager[Any]:
        transaction: AbstractContextManager[Any] = connection.transaction()
        return transaction

    def insert(self, connection: Any, table: Table, rows: list[tuple[Any, ...]], *, again: bool) -> None:
        names = table.columns.keys()
        target = f"{table.name} ({', '.join(names)})"
        with connection.cursor() as cursor:
            if not again:
                with cursor.copy(f"COPY {target} FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row(row)
                return
            keys = [column.name for column in table.primary_key]
            changed = ", ".join(f"{name} = EXCLUDED.{name}" for name in names if name not in keys)
            marks = ", ".join(["%s"] * len(names))
            statement = f"INSERT INTO {target} VALUES ({marks}) ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {changed}"  # noqa: S608
            cursor.executemany(statement, rows)

    def hold(self, number: int) -> AbstractContextManager[Any] | None:
        """An advisory lock of a connection of its own: the server lets go of it when the connection ends."""
        held = ExitStack()
        connection = self.connect()
        held.callback(connection.close)
        if not connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (LOCKS, number)).fetchone()[0]:
            held.close()
            return None
        return held

    def own_errors(self) -> tuple[type[BaseException], ...]:
        import psycopg

        return (psycopg.Error,)
