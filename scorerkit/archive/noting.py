"""A whole that was joined from parts, as an experiment of the project's store."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorerkit.store import ExperimentLog, Writer, experiments, open_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scorerkit.archive.merging import Merging
    from scorerkit.model.result import ScorerResult
    from scorerkit.settings import Settings


@contextmanager
def noted(
    merging: Merging, settings: Settings, outputs: Sequence[str]
) -> Iterator[Callable[[int, int, ScorerResult, bytes], None]]:
    """What keeps each result of the whole; it is there when the block ends, and not at all when it fails."""
    database = open_database(settings.store)
    try:
        number = experiments.begin(database, merging.id, merging.facts())
        writer = Writer(database)
        try:
            yield ExperimentLog(writer, number).keep
            writer.close()
        except BaseException:
            writer.connection.close()
            experiments.forget(database, number)
            raise
        status = experiments.STOPPED if merging.stopped else experiments.FINISHED
        experiments.end(database, number, status, merging.summary(outputs))
    finally:
        database.close()
