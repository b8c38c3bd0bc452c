"""How far a trajectory is the one that was expected."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.functions.arguments import as_list, shown
from scorerkit.functions.numbers import round as rounded

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.model.json import Json

Step = dict[str, "Json"]

_COMPARED: dict[str, tuple[str, ...]] = {
    "tool_call": ("toolArgs", "toolResult", "success"),
    "mcp_tool_call": ("toolArgs", "toolResult", "mcpServer", "success"),
    "model_generation": ("modelId", "promptTokens", "completionTokens", "finishReason"),
    "agent_run": ("agentId",),
    "workflow_step": ("stepId", "status", "output"),
    "workflow_run": ("workflowId", "status"),
    "workflow_conditional": ("conditionCount", "selectedSteps"),
    "workflow_parallel": ("branchCount", "parallelSteps"),
    "workflow_loop": ("loopType", "totalIterations"),
    "workflow_sleep": ("sleepDurationMs", "sleepType"),
    "workflow_wait_event": ("eventName", "eventReceived"),
    "processor_run": ("processorId",),
}
"""Type of a step → its fields that an expectation may ask for."""


class _Match(NamedTuple):
    """What one ordering found: the indexes of expected steps that were met, names out of order, and the penalty."""

    met: set[int]
    misplaced: list[str]
    penalty: float = 0.0


def compare_trajectories(
    actual: Json, expected: Json, ordering: str = "relaxed", allow_repeated_steps: bool = True
) -> dict[str, Json]:
    """A score from 0 to 1, and what is missing, extra, out of order and repeated.

    Both are trajectories or lists of steps. An expected step is met by one of its name, of its ``stepType`` if that is
    given, and then with equal values in every field that it gives; the order of keys does not count. The score is met
    steps ÷ expected steps, less penalties, rounded to two digits. ``strict``: each at its place, -0.5 × further steps
    ÷ expected ones; ``relaxed``: in this order, with others between; ``unordered``: anywhere. Without
    ``allow_repeated_steps`` -0.1 for each name that comes again. Nothing expected is 1 if nothing was done, else 0.
    (Formula of the reference's ``compareTrajectories``.)

    Raises:
        ValueError: an unknown ordering, or what is neither a trajectory nor a list of steps.
    """
    if ordering not in _ORDERINGS:
        message = f"compare_trajectories knows the orderings {', '.join(_ORDERINGS)}, not {shown(ordering)}"
        raise ValueError(message)
    done, wanted = steps_of("compare_trajectories", actual), steps_of("compare_trajectories", expected)
    if not wanted:
        return _told(0.0 if done else 1.0, _Match(set(), []), done, wanted, [])
    repeated = _repeated(done)
    match = _ORDERINGS[ordering](done, wanted)
    score = len(match.met) / len(wanted) - match.penalty - (0.0 if allow_repeated_steps else 0.1 * len(repeated))
    return _told(min(max(score, 0.0), 1.0), match, done, wanted, repeated)


def steps_of(function: str, value: Json) -> list[Step]:
    """The steps of a trajectory, or the list itself.

    Raises:
        ValueError: it is neither, or a step has no name.
    """
    steps = value.get("steps") if isinstance(value, dict) else value
    if not isinstance(steps, (list, tuple)) or isinstance(value, str):
        message = f"{function} needs a trajectory or a list of steps, not {shown(value)}"
        raise ValueError(message)  # noqa: TRY004 - authors meet one kind of error
    items = as_list(function, list(steps))
    for index, item in enumerate(items):
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            message = f"{function}: the step at index {index} has no name"
            raise ValueError(message)  # noqa: TRY004
    return items


def same(one: Json, two: Json) -> bool:
    """Equality of JSON values: true is not 1, 1 is 1.0, and the order of keys does not count."""
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(same(value, two[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(same, one, two))
    return type(one) is type(two) and one == two if isinstance(one, str) else bool(one == two)


def meets(step: Step, wanted: Step) -> bool:
    """Whether a step is what was expected."""
    if step["name"] != wanted["name"]:
        return False
    kind = wanted.get("stepType")
    if kind is None:
        return True
    fields = [field for field in _COMPARED.get(kind, ()) if wanted.get(field) is not None]
    return step.get("stepType") == kind and all(same(step.get(field), wanted[field]) for field in fields)


def _strict(done: list[Step], wanted: list[Step]) -> _Match:
    met = {index for index, (step, expected) in enumerate(zip(done, wanted, strict=False)) if meets(step, expected)}
    names = [step["name"] for step in wanted]
    misplaced = [
        step["name"]
        for index, step in enumerate(done)
        if step["name"] in names and names[index : index + 1] != [step["name"]]
    ]
    return _Match(met, misplaced, 0.5 * max(len(done) - len(wanted), 0) / len(wanted))


def _relaxed(done: list[Step], wanted: list[Step]) -> _Match:
    met: set[int] = set()
    start = 0
    for index, expected in enumerate(wanted):
        place = next((at for at in range(start, len(done)) if meets(done[at], expected)), None)
        if place is not None:
            met.add(index)
            start = place + 1
    names = {step["name"] for step in done}
    return _Match(met, [step["name"] for at, step in enumerate(wanted) if at not in met and step["name"] in names])


def _unordered(done: list[Step], wanted: list[Step]) -> _Match:
    used: set[int] = set()
    met: set[int] = set()
    for index, expected in enumerate(wanted):
        place = next((at for at, step in enumerate(done) if at not in used and meets(step, expected)), None)
        if place is not None:
            used.add(place)
            met.add(index)
    return _Match(met, [])


_ORDERINGS: dict[str, Callable[[list[Step], list[Step]], _Match]] = {
    "strict": _strict,
    "relaxed": _relaxed,
    "unordered": _unordered,
}


def _repeated(steps: list[Step]) -> list[str]:
    seen: set[str] = set()
    again: dict[str, None] = {}
    for step in steps:
        if step["name"] in seen:
            again[step["name"]] = None
        seen.add(step["name"])
    return list(again)


def _told(score: float, match: _Match, done: list[Step], wanted: list[Step], repeated: list[str]) -> dict[str, Json]:
    expected = {step["name"] for step in wanted}
    figure = rounded(score, 2)
    return {
        "score": int(figure) if math.floor(figure) == figure else figure,
        "matchedSteps": len(match.met),
        "totalExpectedSteps": len(wanted),
        "totalActualSteps": len(done),
        "missingSteps": [step["name"] for index, step in enumerate(wanted) if index not in match.met],
        "extraSteps": [step["name"] for step in done if step["name"] not in expected],
        "outOfOrderSteps": match.misplaced,
        "repeatedSteps": repeated,
    }
