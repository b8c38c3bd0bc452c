"""The summary of an experiment: plain data, the same for the terminal, files and Python."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scorerkit.report.intervals import mean_interval, mean_of, wilson_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.json import Json
    from scorerkit.model.plan import Bounds, Plan
    from scorerkit.report.tally import Tally

BINS = 10


@dataclass(frozen=True, slots=True)
class Experiment:
    """One execution, as far as it came.

    Attributes:
        total: records selected; None when the data was a stream.
        read: records that were read.
        stopped: why it ended early; None when it came to its end.
    """

    id: str
    tallies: tuple[Tally, ...]
    data: str
    started: str
    wall_ms: float
    total: int | None = None
    read: int = 0
    stopped: str | None = None
    stop_code: str | None = None
    replaced_surrogates: int = 0
    outputs: tuple[str, ...] = ()
    failures: Sequence[tuple[str, dict[str, Json]]] = field(default=())

    @property
    def not_reached(self) -> int:
        """Records that were selected and not looked at."""
        return max((self.total or self.read) - min(tally.seen for tally in self.tallies), 0)


def summarise(experiment: Experiment, version: str) -> dict[str, Json]:
    """The summary, as ``schemas/summary.schema.json`` describes it."""
    summary: dict[str, Json] = {
        "scorerkit": version,
        "experimentId": experiment.id,
        "startedAt": experiment.started,
        "wallMs": round(experiment.wall_ms, 1),
        "data": {"source": experiment.data, "records": experiment.total, "read": experiment.read},
        "outputs": list(experiment.outputs),
        "stopped": experiment.stopped,
        "scorers": [_scorer(tally, experiment) for tally in experiment.tallies],
    }
    if experiment.replaced_surrogates:
        summary["data"]["replacedSurrogates"] = experiment.replaced_surrogates
    return summary


def _scorer(tally: Tally, experiment: Experiment) -> dict[str, Json]:
    plan = tally.plan
    found: dict[str, Json] = {
        **plan.identity,
        "description": plan.description,
        "params": plan.params,
        "judgeDigest": plan.judge_digest,
        "direction": plan.direction,
        "n": tally.seen,
        "scored": tally.scored,
        "notScorable": tally.not_scorable,
        "failed": tally.failed,
        "notReached": experiment.not_reached,
        "errors": dict(tally.errors.most_common()),
        **_scores(list(tally.scores)),
        **_passes(tally),
    }
    if plan.gate is not None:
        found["gate"] = gate_checks(tally)
    if plan.judged:
        found["judge"] = _judge(tally)
    if tally.records is not None:
        found |= {"failures": list(tally.records.failed), "worst": tally.records.worst}
    return found


def _scores(scores: list[float]) -> dict[str, Json]:
    if not scores:
        return {"mean": None, "meanInterval": None, "median": None, "min": None, "max": None, "histogram": []}
    low, high = min(scores), max(scores)
    return {
        "mean": mean_of(scores),
        "meanInterval": mean_interval(scores),
        "median": _median(scores),
        "min": low,
        "max": high,
        "histogram": histogram(scores, low, high),
    }


def _median(scores: list[float]) -> float:
    """The middle one, or what lies between the two; their sum may be no float."""
    middle = float(statistics.median(scores))
    if math.isfinite(middle):
        return middle
    return mean_of([statistics.median_low(scores), statistics.median_high(scores)])


def histogram(scores: list[float], low: float, high: float) -> list[dict[str, Json]]:
    """Ten bins from the least to the greatest score (0 to 1 where all scores lie there); the last one is closed."""
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    width = (high - low) / BINS
    if not width or not math.isfinite(width):
        return [{"from": low, "to": high, "count": len(scores)}]
    counts = [0] * BINS
    for score in scores:
        counts[min(int((score - low) / width), BINS - 1)] += 1
    return [
        {"from": round(low + index * width, 12), "to": round(low + (index + 1) * width, 12), "count": count}
        for index, count in enumerate(counts)
    ]


def _passes(tally: Tally) -> dict[str, Json]:
    if tally.plan.threshold is None:
        return {}
    return {
        "threshold": bounds_json(tally.plan.threshold),
        "passed": tally.passed,
        "passRate": tally.passed / tally.scored if tally.scored else None,
        "passRateInterval": wilson_interval(tally.passed, tally.scored),
    }


def bounds_json(bounds: Bounds) -> dict[str, float]:
    """``{min?, max?}``."""
    pairs = (("min", bounds.minimum), ("max", bounds.maximum))
    return {name: value for name, value in pairs if value is not None}


def gate_checks(tally: Tally) -> list[dict[str, Json]]:
    """Each condition of a scorer's ``gate`` with what was found; nothing scored passes no condition."""
    gate = tally.plan.gate
    if gate is None:
        return []
    checks: list[dict[str, Json]] = []
    mean = mean_of(tally.scores) if tally.scored else None
    if gate.mean is not None:
        passes = mean is not None and gate.mean.contains(mean)
        checks.append({"name": "mean", "wanted": bounds_json(gate.mean), "found": mean, "passed": passes})
    if gate.pass_rate is not None:
        rate = tally.passed / tally.scored if tally.scored else None
        passes = rate is not None and rate >= gate.pass_rate
        checks.append({"name": "passRate", "wanted": {"min": gate.pass_rate}, "found": rate, "passed": passes})
    if gate.max_not_scorable is not None:
        share = gate.max_not_scorable < 1
        base = tally.scored + tally.not_scorable
        found = (tally.not_scorable / base if base else 0.0) if share else tally.not_scorable
        passes = found <= gate.max_not_scorable
        checks.append(
            {"name": "notScorable", "wanted": {"max": gate.max_not_scorable}, "found": found, "passed": passes}
        )
    return checks


def _judge(tally: Tally) -> dict[str, Json]:
    found: dict[str, Json] = {
        "models": sorted({config.target.model for config in tally.plan.configs.values()}),
        "questions": tally.questions,
        "requests": tally.requests,
        "cached": tally.cached,
        "usage": dict(tally.usage),
    }
    if tally.costed:
        found["cost"] = {"amount": tally.cost, "unit": "USD", "questions": tally.costed}
    if tally.recorded:
        found["recorded"] = dict(tally.recorded)
        found["recordedSource"] = sorted(tally.sources)
    return found


def worse_than(plan: Plan, mean: float, bound: float) -> bool:
    """Whether a mean lies on the worse side of a bound."""
    return mean > bound if plan.direction == "minimize" else mean < bound
