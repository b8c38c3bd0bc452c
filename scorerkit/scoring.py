"""The Python door: scorers over a whole data set, with the engine of the command."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scorerkit.dataset import Cuts, Dataset
from scorerkit.dataset.given import GivenRecords
from scorerkit.experiment import Options, Runner
from scorerkit.library import find_scorers
from scorerkit.loader import open_project
from scorerkit.report.summary import summarise
from scorerkit.results.row import RowMaker
from scorerkit.results.sinks import open_sink
from scorerkit.scorer import Scorer, ScorerBuilder, load_scorer, open_judge_of, run_to_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorerkit.model.json import Json
    from scorerkit.model.result import ScorerResult
    from scorerkit.model.run import ScorerRun


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a data set: every result, in its order, and the summary that ``--report`` writes."""

    results: tuple[ScorerResult, ...]
    summary: dict[str, Json] = field(default_factory=dict)


async def score(
    scorers: Sequence[Any],
    data: str | os.PathLike[str] | Iterable[Mapping[str, Any] | ScorerRun],
    *,
    concurrency: int | None = None,
    output: str | None = None,
    limit: int | None = None,
    timeout: float | None = None,  # noqa: ASYNC109 - of the experiment, kept apart from cancellation
    keep_results: bool = True,
) -> Report:
    """Score a data set: the same engine as the command.

    Args:
        scorers: :class:`Scorer`, builders, paths or ids.
        data: a file, or records as mappings with the keys of a data file.
        concurrency: records at a time; None means 16 where something is waited for, else 1.
        output: a results file, by suffix as ``--output``.
        limit: at most so many records.
        timeout: seconds for the whole experiment.
        keep_results: False keeps memory flat; ``Report.results`` is then empty.

    Raises:
        InvalidScorer, DataError, MissingKey, NothingSelected: before anything is scored.
    """
    from scorerkit import __version__

    ready = [scorer for each in scorers for scorer in _scorers(each)]
    dataset = _dataset(data, limit)
    judge, opened = await open_judge_of(ready)
    sink = open_sink(output) if output else None
    kept: list[ScorerResult] = []
    runner: Runner

    def emit(result: ScorerResult, run: ScorerRun | None) -> None:
        if keep_results:
            kept.append(result)
        if sink is not None:
            sink.write(rows.line(result, run))

    judges = tuple(scorer.judge or judge for scorer in ready)
    runner = Runner(
        tuple(scorer.plan for scorer in ready), dataset, judges, emit, Options(concurrency, timeout=timeout)
    )
    rows = RowMaker(runner.id)
    try:
        experiment = await runner.run()
    except BaseException:
        if sink is not None:
            sink.abort()
        raise
    finally:
        if opened is not None:
            await opened.close()
    if sink is not None:
        sink.finish()
    return Report(tuple(kept), summarise(experiment, __version__))


def score_sync(scorers: Sequence[Any], data: Any, **options: Any) -> Report:
    """:func:`score` for code that is not async."""
    return run_to_end(score(scorers, data, **options))


def _scorers(given: Any) -> list[Scorer]:
    if isinstance(given, Scorer):
        return [given]
    if isinstance(given, ScorerBuilder):
        return [given.build()]
    settings = open_project()
    return [load_scorer(found.file) for found in find_scorers([os.fspath(given)], settings)]


def _dataset(data: Any, limit: int | None) -> Any:
    if isinstance(data, (str, os.PathLike)):
        dataset = Dataset(os.fspath(data), shown=os.fspath(data), cuts=Cuts(limit=limit))
        dataset.survey()
        return dataset
    return GivenRecords(data, limit)
