"""The summary of a kept experiment, made again from its results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.archive.grouping import Groups
from scorerkit.archive.lines import loads
from scorerkit.model.result import ScorerResult
from scorerkit.report.card import plan_of
from scorerkit.report.summary import Experiment, summarise
from scorerkit.report.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.model.json import Json
    from scorerkit.store.experiments import Kept
    from scorerkit.store.log import KeptRow


def sum_up(kept: Kept, rows: Iterable[KeptRow], by: str | None = None) -> dict[str, Json]:
    """What ``--report`` of the run wrote; with ``by``, a dotted path into the results, also ``groups``.

    Raises:
        ScorerkitError: no result has ``by``, or it has too many values.
    """
    plans = tuple(plan_of(card) for card in kept.scorers)
    tallies = tuple(Tally(plan) for plan in plans)
    groups = Groups(plans, by) if by is not None else None
    records, last = 0, -1
    for kept_row in rows:
        records += kept_row.position != last
        last = kept_row.position
        if kept_row.scorer >= len(tallies):
            continue
        row = loads(kept_row.row.encode())
        result = ScorerResult.from_dict(row)
        tallies[kept_row.scorer].add(result)
        if groups is not None:
            groups.add(kept_row.scorer, row, result)
    experiment = _experiment(kept, tallies, records)
    summary = summarise(experiment, (kept.summary or {}).get("scorerkit") or kept.tool)
    if kept.summary is not None:
        summary["outputs"] = kept.summary["outputs"]
    if groups is not None:
        summary |= groups.summary(all_reached=not experiment.not_reached and kept.status == "finished")
    return summary


def _experiment(kept: Kept, tallies: tuple[Tally, ...], records: int) -> Experiment:
    noted = kept.summary
    if noted is None:
        why = "it is still running" if kept.status == "running" else "its process ended before it did"
        source, started = kept.data["source"], kept.started_at
        return Experiment(kept.id, tallies, source, started, 0.0, None, records, stopped=why)
    data = noted["data"]
    return Experiment(
        id=kept.id,
        tallies=tallies,
        data=data["source"],
        started=noted["startedAt"],
        wall_ms=noted["wallMs"],
        total=data["records"],
        read=data["read"],
        stopped=noted["stopped"],
        replaced_surrogates=data.get("replacedSurrogates", 0),
    )
