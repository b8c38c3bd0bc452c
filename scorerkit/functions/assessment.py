"""Everything that can be expected of a trajectory, in one score."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scorerkit.errors import NotScorable
from scorerkit.functions.arguments import as_list, shown
from scorerkit.functions.comparison import Step, compare_trajectories, steps_of
from scorerkit.functions.conduct import tool_failures, trajectory_blacklist, trajectory_efficiency
from scorerkit.functions.numbers import mean
from scorerkit.functions.numbers import round as rounded
from scorerkit.functions.trajectories import trajectory as as_trajectory

if TYPE_CHECKING:
    from scorerkit.model.json import Json

WEIGHTS = {"accuracy": 0.4, "efficiency": 0.3, "toolFailures": 0.2, "blacklist": 0.1}
_BUDGETS = {
    "maxSteps": "max_steps",
    "maxTotalTokens": "max_total_tokens",
    "maxTotalDurationMs": "max_total_duration_ms",
    "noRedundantCalls": "no_redundant_calls",
}
_LISTS = {"blacklistedTools": "tools", "blacklistedSequences": "sequences"}
_COMPARING = {"ordering": "ordering", "allowRepeatedSteps": "allow_repeated_steps"}
_RETRYING = {"maxRetriesPerTool": "max_retries_per_tool"}
_EXPECTATIONS = ("steps", *_BUDGETS, *_LISTS, *_RETRYING)
_OWN, _INSIDE = 0.7, 0.3
_DEEPEST = 32


def trajectory_assessment(
    trajectory: Json, expected: dict[str, Json], weights: dict[str, float] | None = None
) -> dict[str, Json]:
    """What a trajectory is worth by what is expected of it: ``score`` 0 to 1 in two digits, and each part of it.

    The parts are ``accuracy`` (if ``steps`` are expected), ``efficiency`` (if there is a budget or
    ``noRedundantCalls``), ``toolFailures`` (if there were retries) and ``blacklist`` (if something is forbidden); the
    score is their mean by ``weights`` (0.4, 0.3, 0.2, 0.1), those below 0 counting 0. A forbidden step makes it 0.
    Expected steps with ``children`` are assessed inside the first step of their name and type: the score is then
    0.7 · its own + 0.3 · the mean inside.

    Raises:
        NotScorable: nothing is expected.
        ValueError: an expectation cannot be used, or the weights leave nothing.
    """
    if all(expected.get(key) is None for key in _EXPECTATIONS):
        why = "nothing is expected of the trajectory"
        raise NotScorable(why)
    found = _assessed(as_trajectory(trajectory), expected, {**WEIGHTS, **(weights or {})}, 0)
    return {**found, "config": expected}


def _assessed(trajectory: Step, expected: Step, weights: dict[str, float], depth: int) -> dict[str, Json]:
    if depth > _DEEPEST:
        message = f"trajectory_assessment: expectations are nested deeper than {_DEEPEST}"
        raise ValueError(message)
    parts: dict[str, Json] = {}
    if expected.get("steps") is not None:
        parts["accuracy"] = compare_trajectories(trajectory, expected["steps"], **_given(expected, _COMPARING))
    if budgets := _given(expected, _BUDGETS):
        parts["efficiency"] = trajectory_efficiency(trajectory, **budgets)
    if any(expected.get(key) for key in _LISTS):
        parts["blacklist"] = trajectory_blacklist(trajectory, **_given(expected, _LISTS))
    parts["toolFailures"] = tool_failures(trajectory, **_given(expected, _RETRYING))
    if nested := _nested(trajectory, expected, weights, depth):
        parts["nested"] = nested
    return {"score": _score(parts, weights), **parts}


def _given(expected: Step, names: dict[str, str]) -> dict[str, Json]:
    """What an expectation gives of these keys, as the arguments of a function."""
    return {argument: expected[key] for key, argument in names.items() if expected.get(key) is not None}


def _nested(trajectory: Step, expected: Step, weights: dict[str, float], depth: int) -> list[dict[str, Json]]:
    """The assessments of expected steps that have expectations of what happens inside."""
    steps = steps_of("trajectory_assessment", trajectory)
    used: set[int] = set()
    found: list[dict[str, Json]] = []
    for step in steps_of("trajectory_assessment", expected.get("steps") or []):
        inside = step.get("children")
        if isinstance(inside, dict):
            place = next((place for place, taken in enumerate(steps) if place not in used and _is_it(taken, step)), -1)
            used.add(place)
            taken = steps[place] if place >= 0 else {}
            found.append({"stepName": step["name"], **_inside(taken, inside, weights, depth)})
    return found


def _is_it(taken: Step, step: Step) -> bool:
    return bool(taken["name"] == step["name"] and step.get("stepType") in {None, taken.get("stepType")})


def _inside(taken: Step, expected: Step, weights: dict[str, float], depth: int) -> dict[str, Json]:
    """The assessment inside a step; 0 where the step, or anything inside it, is missing."""
    if taken.get("children"):
        timed = {"totalDurationMs": taken["durationMs"]} if "durationMs" in taken else {}
        return _assessed({"steps": taken["children"], **timed}, expected, weights, depth + 1)
    if expected.get("steps") is None:
        return {"score": 0}
    return {"score": 0, "accuracy": compare_trajectories([], expected["steps"], **_given(expected, _COMPARING))}


def _score(parts: dict[str, Json], weights: dict[str, float]) -> float:
    if _forbidden(parts):
        return 0
    counted = [key for key in WEIGHTS if key in parts]
    if not parts["toolFailures"]["patterns"]:
        counted.remove("toolFailures")
    own = _weighted({key: parts[key]["score"] for key in counted}, weights) if counted else 1.0
    inside = [inner["score"] for inner in parts.get("nested", ())]
    return rounded(_OWN * own + _INSIDE * mean(inside) if inside else own, 2)


def _weighted(scores: dict[str, float], weights: dict[str, float]) -> float:
    kept = {key: max(0.0, weights[key]) for key in scores}
    total = math.fsum(kept.values())
    if not total > 0:
        given = ", ".join(f"{key} {shown(weights[key])}" for key in scores)
        message = f"trajectory_assessment: the weights leave nothing to count: {given}"
        raise ValueError(message)
    return math.fsum(scores[key] * weight for key, weight in kept.items()) / total


def _forbidden(parts: dict[str, Json]) -> bool:
    """Whether a forbidden step was taken, at any level."""
    own = parts.get("blacklist")
    return (own is not None and own["score"] == 0) or any(_forbidden(inner) for inner in parts.get("nested", ()))


def trajectory_accuracy(
    trajectory: Json,
    expected: Json,
    ordering: str = "relaxed",
    allow_repeated_steps: bool = True,
    only: list[str] | None = None,
    names_only: bool = False,
) -> dict[str, Json]:
    """A trajectory beside the expected one: both lists of names, what is compared, and the ``comparison``.

    ``only`` names the steps that are looked at, on both sides; ``names_only`` compares nothing but names.

    Raises:
        ValueError: one of the two has no steps, or the ordering is unknown.
    """
    taken, wanted = as_trajectory(trajectory), steps_of("trajectory_accuracy", expected)
    if only is not None:
        names = as_list("trajectory_accuracy", only)
        steps = [step for step in steps_of("trajectory_accuracy", taken) if step["name"] in names]
        taken, wanted = {**taken, "steps": steps}, [step for step in wanted if step["name"] in names]
    if names_only:
        wanted = [{"name": step["name"]} for step in wanted]
    return {
        "expectedTrajectory": {"steps": [_compared(step) for step in wanted]},
        "comparison": compare_trajectories(taken, wanted, ordering, allow_repeated_steps),
        "actualStepNames": [step["name"] for step in steps_of("trajectory_accuracy", taken)],
        "expectedStepNames": [step["name"] for step in wanted],
    }


def _compared(step: Step) -> Step:
    return {key: value for key, value in step.items() if key not in {"durationMs", "metadata"}}
