"""Everything that one process writes into a store, gathered and committed together."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

from scorerkit.store.tables import ANSWERS, RESULTS, STEPS

if TYPE_CHECKING:
    from scorerkit.store.database import Database, StoreUnusableError

ROWS = 1000
SECONDS = 0.5
"""What is not waited for is committed after so many rows or so long, whichever comes first."""

Row = tuple[Any, ...]


class Writer:
    """One connection. What is waited for is committed in the same turn of the event loop; the rest in batches.

    A failure of the store is raised by whatever is called next: nothing is reported as kept that is not.

    Attributes:
        again: whether some results may be there already, from an earlier execution.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connection = database.driver_connection()
        self.again = False
        self._backend = database.backend
        self._lock = threading.Lock()
        self._answers: list[Row] = []
        self._steps: list[Row] = []
        self._results: list[Row] = []
        self._settled: list[Row] = []
        self._commit: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = time.monotonic() + SECONDS
        self._failure: StoreUnusableError | None = None

    def answer(self, row: Row) -> None:
        """Add an answer of a judge."""
        self._answers.append(row)

    def step(self, row: Row) -> None:
        """Add a judged step."""
        self._steps.append(row)

    def result(self, row: Row, settled: Row | None = None) -> None:
        """Add a result; the steps of ``settled`` (experiment, position, scorer) are no longer needed with it.

        Raises:
            StoreUnusableError: this or an earlier batch could not be written.
        """
        self._results.append(row)
        if settled is not None:
            self._settled.append(settled)
        if len(self._results) >= ROWS or time.monotonic() >= self._due:
            self.flush()
        elif self._timer is None:
            self._start_timer()

    def _start_timer(self) -> None:
        try:
            self._timer = asyncio.get_running_loop().call_later(SECONDS, self._overdue)
        except RuntimeError:  # no loop: the next row or the end writes it
            return

    def _overdue(self) -> None:
        from scorerkit.store.database import StoreUnusableError

        self._timer = None
        try:
            self.flush()
        except StoreUnusableError as failure:
            self._failure = failure

    async def committed(self) -> None:
        """Return when everything that was added so far is committed.

        Raises:
            StoreUnusableError: it could not be.
        """
        if self._commit is None:
            self._commit = asyncio.create_task(self._soon())
        # Shielded: an answer that was paid for is kept also when its record is cancelled.
        await asyncio.shield(self._commit)

    async def _soon(self) -> None:
        """Commit all that has arrived in this turn of the loop."""
        await asyncio.sleep(0)
        self._commit = None
        if self._backend.remote:
            await asyncio.to_thread(self.flush)
        else:
            self.flush()

    def flush(self) -> None:
        """Commit everything that was added so far.

        Raises:
            StoreUnusableError: it could not be, now or earlier.
        """
        with self._lock:
            self._due = time.monotonic() + SECONDS
            if self._failure is not None:
                raise self._failure
            gathered = (
                (ANSWERS, self._answers, True),
                (STEPS, self._steps, True),
                (RESULTS, self._results, self.again),
            )
            settled = self._settled
            self._answers, self._steps, self._results, self._settled = [], [], [], []
            if not any(rows for _, rows, _ in gathered):
                return
            with self.database.told(), self._backend.transaction(self.connection):
                for table, rows, again in gathered:
                    if rows:
                        self._backend.insert(self.connection, table, rows, again=again)
                if settled:
                    self._forget(settled)

    def _forget(self, settled: list[Row]) -> None:
        mark = self._backend.mark
        where = " AND ".join(f"{name} = {mark}" for name in ("experiment", "position", "scorer"))
        self.connection.cursor().executemany(f"DELETE FROM steps WHERE {where}", settled)  # noqa: S608 - no value is in it

    def rows(self, statement: str, values: Row) -> list[Row]:
        """The rows of a query; ``?`` stands for values.

        Raises:
            StoreUnusableError: it cannot be read.
        """
        with self._lock, self.database.told():
            cursor = self.connection.cursor()
            cursor.execute(statement.replace("?", self._backend.mark), values)
            found: list[Row] = cursor.fetchall()
            return found

    def close(self) -> None:
        """Write what waits, and give the connection back.

        Raises:
            StoreUnusableError: it could not be written.
        """
        if self._timer is not None:
            self._timer.cancel()
        try:
            self.flush()
        finally:
            self.connection.close()
