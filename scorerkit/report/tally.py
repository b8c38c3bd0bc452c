"""Counting as results come: what a summary is made of. Memory: eight bytes a scored record, and the records named."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scorerkit.report.records import Records

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.plan import Plan
    from scorerkit.model.result import ScorerResult

USAGE = ("inputTokens", "outputTokens", "totalTokens", "reasoningTokens", "cachedInputTokens")


@dataclass(slots=True)
class Tally:
    """The numbers of one scorer over the records so far; ``naming`` says whether it also names records."""

    plan: Plan
    naming: bool = True
    records: Records | None = field(init=False, default=None)
    scores: array[float] = field(default_factory=lambda: array("d"))
    not_scorable: int = 0
    failed: int = 0
    passed: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    usage: Counter[str] = field(default_factory=Counter)
    questions: int = 0
    requests: int = 0
    cached: int = 0
    cost: float = 0.0
    costed: int = 0
    recorded: Counter[str] = field(default_factory=Counter)
    sources: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.naming:
            self.records = Records(self.plan)

    @property
    def scored(self) -> int:
        return len(self.scores)

    @property
    def seen(self) -> int:
        return self.scored + self.not_scorable + self.failed

    def add(self, result: ScorerResult) -> None:
        """Count one result."""
        if result.status == "scored":
            self.scores.append(result.score)  # type: ignore[arg-type]
            self.passed += result.passed is True
            if self.records is not None:
                self.records.add_scored(result)
        elif result.status == "notScorable":
            self.not_scorable += 1
        else:
            self.failed += 1
            self.errors[(result.error or {}).get("code", "step-failed")] += 1
            if self.records is not None:
                self.records.add_failed(result)
        if result.judge:
            for executions in result.judge.values():
                for execution in executions:
                    self._execution(execution)

    def _execution(self, execution: dict[str, Json]) -> None:
        self.questions += 1
        self.cached += execution.get("cached") is True
        if "recorded" not in execution:
            self.requests += execution.get("attemptCount", 0)
        if kind := execution.get("recorded"):
            self.recorded[kind] += 1
            if source := execution.get("source"):
                self.sources.add(source)
        for key in USAGE:
            if amount := (execution.get("usage") or {}).get(key):
                self.usage[key] += amount
        if (cost := execution.get("cost")) is not None:
            self.cost += cost if isinstance(cost, (int, float)) else cost.get("amount", 0)
            self.costed += 1
