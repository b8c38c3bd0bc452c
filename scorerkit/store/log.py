"""What one experiment keeps while it runs: results, and the judged steps of records that have none yet."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.model.judge import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.result import ScorerResult
    from scorerkit.store.writer import Writer

PAGE = 500
_ROWS = (
    "SELECT position, scorer, status, row FROM results"
    " WHERE experiment = ? AND position >= ? AND position < ? ORDER BY position, scorer"
)
_NEXT = "SELECT min(position) FROM results WHERE experiment = ? AND position >= ?"
_STEPS = "SELECT step, sample, answer FROM steps WHERE experiment = ? AND position = ? AND scorer = ?"


class KeptRow(NamedTuple):
    """A result of an earlier execution: a record's place, a scorer's number, and the line of JSON."""

    position: int
    scorer: int
    status: str
    row: str


class ExperimentLog:
    """The part of the store that belongs to one experiment, by its number.

    Attributes:
        resumed: whether an earlier execution left something.
    """

    def __init__(self, writer: Writer, number: int, *, resumed: bool = False) -> None:
        self.writer = writer
        self.number = number
        self.resumed = resumed
        writer.again = resumed

    def keep(self, position: int, scorer: int, result: ScorerResult, line: bytes) -> None:
        """Keep a result; the steps of a failed record stay, so that nobody is asked twice when it is scored again.

        Raises:
            StoreUnusableError: this or an earlier batch could not be written.
        """
        run_id = result.run_id
        if run_id is not None and "\0" in run_id:
            run_id = run_id.replace("\0", "\u2400")  # PostgreSQL's text cannot hold it; the line has it escaped
        row = (self.number, position, scorer, result.status, result.score, run_id, line.decode())
        settled = result.judge and result.status != "failed"
        self.writer.result(row, (self.number, position, scorer) if settled else None)

    async def answered(self, position: int, scorer: int, step: str, sample: int, answer: Answer) -> None:
        """Keep a judged step; it is committed when this returns."""
        text = json.dumps({"value": answer.value, "execution": answer.execution})
        self.writer.step((self.number, position, scorer, step, sample, text))
        await self.writer.committed()

    async def steps(self, position: int, scorer: int) -> dict[tuple[str, int], Answer]:
        """The judged steps of a record that an earlier execution finished."""
        values = self.number, position, scorer
        if self.writer.database.backend.remote:
            rows = await asyncio.to_thread(self.writer.rows, _STEPS, values)
        else:
            rows = self.writer.rows(_STEPS, values)
        return {(step, sample): Answer(**json.loads(text)) for step, sample, text in rows}

    def rows(self) -> Iterator[KeptRow]:
        """All results in the order of the data; read in pages, so that writing may go on meanwhile."""
        position: int | None = 0
        while position is not None:
            page = self.writer.rows(_ROWS, (self.number, position, position + PAGE))
            yield from (KeptRow(*row) for row in page)
            position = self.writer.rows(_NEXT, (self.number, position + PAGE))[0][0]
