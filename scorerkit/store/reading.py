"""A store as those see it who write nothing: experiments and what they kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorerkit.store import experiments
from scorerkit.store.log import ExperimentLog
from scorerkit.store.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.store.database import Database
    from scorerkit.store.experiments import Kept
    from scorerkit.store.log import KeptRow

_COUNTS = "SELECT scorer, status, count(*), avg(score) FROM results WHERE experiment = ? GROUP BY scorer, status"


class Count(NamedTuple):
    """How many results of a scorer have a status, and the mean of their scores (None where there are none)."""

    scorer: int
    status: str
    results: int
    mean: float | None


class Reader:
    """Reads an open store, which it closes with itself."""

    def __init__(self, database: Database) -> None:
        self.database = database
        try:
            self._connection = Writer(database)
        except BaseException:
            database.close()
            raise

    def find(self, words: str) -> Kept:
        """As :func:`scorerkit.store.experiments.find` says."""
        return experiments.find(self.database, words)

    def latest_first(self) -> Iterator[Kept]:
        """All experiments, the latest first."""
        return experiments.latest_first(self.database)

    def rows(self, number: int) -> Iterator[KeptRow]:
        """All results of an experiment in the order of the data; never more than a page of them is held."""
        return ExperimentLog(self._connection, number).rows()

    def counts(self, number: int) -> list[Count]:
        """The results of an experiment, counted by the store."""
        return [Count(*row) for row in self._connection.rows(_COUNTS, (number,))]

    def close(self) -> None:
        """Give connection and file back."""
        try:
            self._connection.close()
        finally:
            self.database.close()
