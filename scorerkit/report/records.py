"""The records that a summary names: those that failed, and the worst of those that were scored. Memory is bounded."""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.plan import Plan
    from scorerkit.model.result import ScorerResult

MOST_FAILED = 100
MOST_WORST = 20
MOST_SHOWN = 20
"""Of the failed ones, in the forms for people."""
MOST_TEXT = 300
MOST_ID = 200


class Records:
    """The first failed records of one scorer, and its worst ones.

    The worst are those outside the threshold, farthest first; where none is outside, those with the worst scores,
    except the best score that the range allows. Of equal ones the first stay.
    """

    __slots__ = ("_bound", "_heap", "_outside", "_seen", "_sign", "_threshold", "failed")

    def __init__(self, plan: Plan) -> None:
        minimize = plan.direction == "minimize"
        best = plan.range and (plan.range.minimum if minimize else plan.range.maximum)
        self._sign = -1 if minimize else 1
        self._threshold = plan.threshold
        self._outside = False
        # One comparison decides whether a record comes in: its key has to be below this.
        self._bound = math.inf if best is None else self._sign * best
        self._heap: list[tuple[float, int, dict[str, Json]]] = []
        self._seen = 0
        self.failed: list[dict[str, Json]] = []

    def add_scored(self, result: ScorerResult) -> None:
        """Look at a record that has a score."""
        score: float = result.score  # type: ignore[assignment]
        key = self._sign * score
        if result.passed is False:
            if not self._outside:
                self._outside, self._bound = True, math.inf
                self._heap.clear()
            if self._threshold is not None:
                low, high = self._threshold
                key = min(score - low if low is not None else 0, high - score if high is not None else 0)
        elif self._outside:
            return
        if key < self._bound:
            self._take(key, result)

    def _take(self, key: float, result: ScorerResult) -> None:
        self._seen += 1
        entry: dict[str, Json] = {"runId": _id(result), "score": result.score}
        if result.passed is not None:
            entry["passed"] = result.passed
        if result.reason is not None:
            entry["reason"] = shortened(result.reason)
        heapq.heappush(self._heap, (-key, -self._seen, entry))
        if len(self._heap) > MOST_WORST:
            heapq.heappop(self._heap)
        if len(self._heap) == MOST_WORST:
            self._bound = min(self._bound, -self._heap[0][0])

    def add_failed(self, result: ScorerResult) -> None:
        """Look at a record that failed."""
        if len(self.failed) >= MOST_FAILED:
            return
        error = result.error or {}
        entry: dict[str, Json] = {
            "runId": _id(result),
            "code": error.get("code", "step-failed"),
            "message": shortened(error.get("message", "")),
        }
        if at := place_of(error.get("at")):
            entry["at"] = shortened(at)
        if result.failed_step:
            entry["step"] = result.failed_step
        self.failed.append(entry)

    @property
    def worst(self) -> list[dict[str, Json]]:
        """The worst first."""
        return [entry for _, _, entry in sorted(self._heap, key=lambda one: one[:2], reverse=True)]


def failed_lines(scorer: dict[str, Json]) -> tuple[list[dict[str, Json]], int]:
    """The failed records that people are shown, and how many more there are."""
    shown = scorer.get("failures", [])[:MOST_SHOWN]
    return shown, scorer["failed"] - len(shown) if shown else 0


def worst_lines(scorer: dict[str, Json]) -> tuple[str, list[dict[str, Json]], int]:
    """What the worst records are, these, and how many more there are of that kind."""
    worst = scorer.get("worst", [])
    if not worst or worst[0].get("passed") is not False:
        return f"{'highest' if scorer['direction'] == 'minimize' else 'lowest'} scores", worst, 0
    # Results files say what passed, and no threshold: then nothing is counted.
    more = scorer["scored"] - scorer["passed"] - len(worst) if "passed" in scorer else 0
    return "outside the threshold", worst, more


def place_of(at: Json) -> str:
    """Where an error stands, in one word: ``file:line``, a field."""
    if not isinstance(at, dict):
        return str(at or "")
    return f"{at['path']}:{at['line']}" if {"path", "line"} <= set(at) else ", ".join(map(str, at.values()))


def shortened(text: str, most: int = MOST_TEXT) -> str:
    """Text of any length as a report can hold it; halves of characters, which no file can hold, are replaced."""
    text = str(text)
    cut = text if len(text) <= most else f"{text[: most - 1]}…"
    return cut.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _id(result: ScorerResult) -> str | None:
    return None if result.run_id is None else shortened(result.run_id, MOST_ID)
