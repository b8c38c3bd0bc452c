"""The Python door: scorers over a whole data set, with the engine of the command."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard

from scorerkit.dataset import Cuts, open_dataset
from scorerkit.dataset.given import GivenRecords
from scorerkit.errors import NothingSelected
from scorerkit.experiment import Options, Runner, new_id
from scorerkit.library import find_scorers
from scorerkit.loader import open_project
from scorerkit.report.summary import summarise
from scorerkit.results.sinks import open_sink
from scorerkit.results.targets import check_targets
from scorerkit.scorer import Scorer, ScorerBuilder, load_scorer, open_judge_of, run_to_end

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.engine.job import Scored
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Judge
    from scorerkit.model.result import ScorerResult
    from scorerkit.model.run import ScorerRun


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a data set: every result, in its order, and the summary that ``--report`` writes."""

    results: tuple[ScorerResult, ...]
    summary: dict[str, Json] = field(default_factory=dict)


async def score(
    scorers: Any,
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
        scorers: :class:`Scorer`, builders, paths or ids, one or several.
        data: a file, or records as mappings with the keys of a data file.
        concurrency: records at a time; None means 16 where something is waited for, else 1.
        output: a results file, by suffix as ``--output``.
        limit: at most so many records.
        timeout: seconds for the whole experiment.
        keep_results: False keeps memory flat; ``Report.results`` is then empty.

    Raises:
        InvalidScorer, DataError, MissingKey, NothingSelected: before anything is scored.
    """
    one = isinstance(scorers, (str, os.PathLike, Scorer, ScorerBuilder))
    ready = [scorer for each in ((scorers,) if one else scorers) for scorer in _scorers(each)]
    if not ready:
        message = "there is no scorer to score with"
        raise NothingSelected(message)
    dataset = _dataset(data, limit)
    if output is not None:
        check_targets([("output", output)], [("the data", os.fspath(data))] if _is_path(data) else ())
    judge, opened = await open_judge_of(ready)
    try:
        return await _scored(ready, dataset, judge, output, Options(concurrency, timeout=timeout), keep_results)
    finally:
        if opened is not None:
            await opened.close()


async def _scored(
    scorers: list[Scorer], dataset: Any, judge: Judge | None, output: str | None, options: Options, keep_results: bool
) -> Report:
    """Everything from the first record to the report; what was written is kept whatever happens."""
    from scorerkit import __version__

    kept: list[ScorerResult] = []
    sink = open_sink(output) if output is not None else None
    experiment_id = new_id()

    def emit(scored: Scored, _run: ScorerRun | None) -> None:
        if keep_results:
            kept.append(scored.result)
        if sink is not None:
            sink.write(scored.line)

    judges = tuple(scorer.judge or judge for scorer in scorers)
    plans = tuple(scorer.plan for scorer in scorers)
    try:
        experiment = await Runner(plans, dataset, judges, emit, options, experiment_id=experiment_id).run()
    except BaseException:
        if sink is not None:
            sink.abort()
        raise
    if sink is not None:
        sink.finish() if experiment.read else sink.abort()
    if not experiment.read:
        message = "the data holds no record"
        raise NothingSelected(message)
    return Report(tuple(kept), summarise(experiment, __version__))


def score_sync(scorers: Any, data: Any, **options: Any) -> Report:
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
    if isinstance(data, Mapping):
        message = "data is one mapping; give a list of records"
        raise TypeError(message)
    if _is_path(data):
        dataset = open_dataset(os.fspath(data), shown=os.fspath(data), cuts=Cuts(limit=limit))
        dataset.survey()
        return dataset
    return GivenRecords(data, limit)


def _is_path(data: Any) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(data, (str, os.PathLike))
