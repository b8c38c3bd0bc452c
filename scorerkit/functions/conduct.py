"""How a trajectory went: what it cost, what it must not do, and how it dealt with tools that failed."""

from __future__ import annotations

import math
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from scorerkit.functions.arguments import as_list, shown
from scorerkit.functions.comparison import Step, same, steps_of
from scorerkit.functions.numbers import round as rounded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json

_TOOLS = {"tool_call", "mcp_tool_call"}
_PER_REDUNDANT_CALL = 0.2
_PER_EXCESSIVE_RETRY = 0.2


def trajectory_efficiency(
    value: Json,
    max_steps: float | None = None,
    max_total_tokens: float | None = None,
    max_total_duration_ms: float | None = None,
    no_redundant_calls: bool = True,
) -> dict[str, Json]:
    """The mean of what is asked about, from 0 to 1, and the figures it is made of; 1 if nothing is asked about.

    Within a budget is 1, beyond it max(0, 1 - (x - budget) ÷ budget); a budget of 0 is 1 for 0 and 0 for more. Tokens
    are those of all model generations, nested ones too. A redundant call repeats the step before it in name, type and
    arguments, in whatever order their keys are: max(0, 1 - 0.2 × number). (Formula of the reference's
    ``checkTrajectoryEfficiency``.)

    Raises:
        ValueError: a budget that is no number from 0 up, or one for which nothing was measured.
    """
    steps = steps_of("trajectory_efficiency", value)
    budgets = {
        "max_steps": max_steps,
        "max_total_tokens": max_total_tokens,
        "max_total_duration_ms": max_total_duration_ms,
    }
    for name, budget in budgets.items():
        if budget is not None and not (_is_measure(budget) and math.isfinite(budget)):
            message = f"trajectory_efficiency: '{name}' must be a number from 0 up, not {shown(budget)}"
            raise ValueError(message)
    tokens = _tokens(steps, needed=max_total_tokens is not None)
    duration = _duration(value, steps, needed=max_total_duration_ms is not None)
    redundant = _redundant(steps) if no_redundant_calls else []
    measures = ((len(steps), max_steps), (tokens, max_total_tokens), (duration, max_total_duration_ms))
    marks = [_within(measure, budget) for measure, budget in measures if budget is not None]
    if no_redundant_calls:
        marks.append(max(0.0, 1 - _PER_REDUNDANT_CALL * len(redundant)))
    return {
        "score": _figure(sum(marks) / len(marks) if marks else 1.0),
        "totalSteps": len(steps),
        "overStepBudget": max_steps is not None and len(steps) > max_steps,
        "totalTokens": tokens,
        "overTokenBudget": max_total_tokens is not None and tokens > max_total_tokens,
        "totalDurationMs": duration,
        "overDurationBudget": max_total_duration_ms is not None and duration > max_total_duration_ms,
        "redundantCalls": redundant,
    }


def trajectory_blacklist(
    value: Json, tools: list[str] | None = None, sequences: list[list[str]] | None = None
) -> dict[str, Json]:
    """0 if a forbidden name, or a forbidden run of names without others between, occurs among the steps, else 1.

    The names of steps inside steps are not looked at. (Rule of the reference's ``checkTrajectoryBlacklist``.)

    Raises:
        ValueError: no trajectory, or lists of something else than names.
    """
    names = [step["name"] for step in steps_of("trajectory_blacklist", value)]
    forbidden = as_list("trajectory_blacklist", tools or [])
    runs = [as_list("trajectory_blacklist", run) for run in as_list("trajectory_blacklist", sequences or [])]
    used = [name for name in forbidden if name in names]
    done = [run for run in runs if run and any(names[at : at + len(run)] == run for at in range(len(names)))]
    return {"score": 0 if used or done else 1, "violatedTools": used, "violatedSequences": done}


def tool_failures(value: Json, max_retries_per_tool: int = 2) -> dict[str, Json]:
    """How tools that failed were dealt with: max(0, 1 - 0.2 × retries beyond the limit), and what happened each time.

    Calls of one tool without other steps between are a run; a retry is a call whose predecessor in the run has
    ``success`` false. (Formula of the reference's ``analyzeToolFailures``.)

    Raises:
        ValueError: no trajectory, or a limit that is no whole number from 0 up.
    """
    limit = max_retries_per_tool
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
        message = f"tool_failures: 'max_retries_per_tool' must be a whole number from 0 up, not {shown(limit)}"
        raise ValueError(message)
    calls = [step for step in steps_of("tool_failures", value) if step.get("stepType") in _TOOLS]
    runs = [list(run) for _, run in groupby(calls, key=lambda step: step["name"])]
    patterns = [
        pattern for index, run in enumerate(runs) if (pattern := _pattern(run, runs[index + 1 : index + 2])) is not None
    ]
    excess = sum(max(0, pattern["retryCount"] - limit) for pattern in patterns)
    return {
        "score": _figure(max(0.0, 1 - _PER_EXCESSIVE_RETRY * excess)),
        "patterns": patterns,
        "totalRetries": sum(pattern["retryCount"] for pattern in patterns),
        "excessiveRetryTools": [pattern["toolName"] for pattern in patterns if pattern["retryCount"] > limit],
    }


def _pattern(run: list[Step], following: list[list[Step]]) -> dict[str, Json] | None:
    """What came of a run in which something failed; None where nothing was retried."""
    retries = sum(before.get("success") is False for before, _ in pairwise(run))
    succeeded = run[-1].get("success") is not False
    if not retries:
        return None
    fell_back = not succeeded and bool(following)
    found: dict[str, Json] = {"toolName": run[0]["name"], "retryCount": retries, "fellBackToAlternative": fell_back}
    if fell_back:
        found["alternativeTool"] = following[0][0]["name"]
    return {**found, "eventuallySucceeded": succeeded}


def _within(measure: float, budget: float) -> float:
    if measure <= budget:
        return 1.0
    return max(0.0, 1 - (measure - budget) / budget) if budget else 0.0


def _figure(value: float) -> float:
    figure = rounded(value, 2)
    return int(figure) if math.floor(figure) == figure else figure


def _is_measure(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def _tokens(steps: list[Step], *, needed: bool) -> float:
    counts = [
        step.get(key)
        for step in _nested(steps)
        if step.get("stepType") == "model_generation"
        for key in ("promptTokens", "completionTokens")
    ]
    known: list[float] = [count for count in counts if count is not None and _is_measure(count)]
    if needed and not known:
        message = "trajectory_efficiency: there is a token budget, and no step says how many tokens it took"
        raise ValueError(message)
    return sum(known)


def _duration(value: Json, steps: list[Step], *, needed: bool) -> float:
    total = value.get("totalDurationMs") if isinstance(value, dict) else None
    if total is not None and _is_measure(total):
        return float(total) if isinstance(total, float) else int(total)
    known: list[float] = [step["durationMs"] for step in steps if _is_measure(step.get("durationMs"))]
    if needed and len(known) < max(len(steps), 1):
        message = "trajectory_efficiency: there is a time budget, and not every step says how long it took"
        raise ValueError(message)
    return sum(known)


def _redundant(steps: list[Step]) -> list[dict[str, Json]]:
    pairs = enumerate(pairwise(steps), 1)
    return [{"name": step["name"], "index": index} for index, (before, step) in pairs if _repeats(before, step)]


def _repeats(before: Step, step: Step) -> bool:
    kind = step.get("stepType")
    if kind not in _TOOLS or kind != before.get("stepType") or step["name"] != before["name"]:
        return False
    return same(before.get("toolArgs"), step.get("toolArgs"))


def _nested(steps: list[Step]) -> Iterator[Step]:
    waiting: list[Json] = list(reversed(steps))
    while waiting:
        step = waiting.pop()
        if isinstance(step, dict):
            yield step
            children = step.get("children")
            waiting += reversed(children) if isinstance(children, list) else ()
