"""What is known in each place of a definition: the names, and the schemas of what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.check.findings import Scope
from scorerkit.check.paths import OPEN, Known, closed, described
from scorerkit.model.run import RUN_KEYS
from scorerkit.model.stage import RESULT_KEY, STEPS
from scorerkit.template.environment import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.definition import Definition

MESSAGE = {
    "type": "object",
    "properties": {
        "id": {},
        "role": {"type": "string"},
        "createdAt": {},
        "content": {},
    },
    "additionalProperties": True,
}
MESSAGES = {"type": "array", "items": MESSAGE}
AGENT_INPUT = {
    "type": "object",
    "properties": {
        "inputMessages": MESSAGES,
        "rememberedMessages": MESSAGES,
        "systemMessages": {"type": "array"},
        "taggedSystemMessages": {"type": "object"},
    },
    "additionalProperties": False,
}
TRAJECTORY = {
    "type": "object",
    "properties": {
        "steps": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "stepType": {"type": "string"}},
                "additionalProperties": True,
            },
        },
        "totalDurationMs": {"type": "number"},
        "rawOutput": {},
        "rawWorkflowResult": {},
    },
    "required": ["steps"],
    "additionalProperties": True,
}

_TOO_EARLY = {
    "score": "the score is made in generateScore; only generateReason can use it",
    "run.inputData": "the field is 'run.input'; older samples of the reference call it inputData",
    "judgeOutput": "only 'calculateScore' sees the judge's answer under this name",
    "analyzeStepResult": "only 'calculateScore' has this short name; write results.analyzeStepResult",
}


def run_fields(definition: Definition) -> Known:
    """What is known of ``run``: its seven fields, by the scorer's ``type``."""
    kind = definition.get("type")
    fields = dict.fromkeys(RUN_KEYS, OPEN)
    if kind == "agent":
        fields |= {"input": described(AGENT_INPUT, "run.input"), "output": described(MESSAGES, "run.output")}
    elif kind == "trajectory":
        fields |= {"output": described(TRAJECTORY, "run.output")}
    elif isinstance(kind, dict):
        fields |= {key: described(schema, f"run.{key}") for key, schema in kind.items()}
    return closed("run", fields)


def step_result(definition: Definition, step: str) -> Known:
    """What is known of one step's result: its output schema, where the judge answers."""
    label = RESULT_KEY[step]
    if step == "generateScore":
        return Known({"type": "number"}, {}, label)
    asked = definition.get("steps", step, "prompt") is not None
    schema = definition.get("steps", step, "outputSchema") if asked else {}
    skipped = step if definition.get("steps", step, "when") is not None else None
    return Known(schema or {}, schema or {}, label, skipped)


def names_of(definition: Definition, behind: Iterable[str]) -> dict[str, Known]:
    """run, params and results, when the steps ``behind`` have run."""
    params = definition.get("params") or {}
    results = {RESULT_KEY[step]: step_result(definition, step) for step in behind if definition.get("steps", step)}
    return {
        "run": run_fields(definition),
        "params": closed("params", {name: described(schema, f"params.{name}") for name, schema in params.items()}),
        "results": closed("results", results),
    }


def scope_of(definition: Definition, place: str) -> Scope:
    """The scope of code in ``place``: a step, ``generateScore.calculateScore``, or one of :data:`PLACES`."""
    builtin = frozenset(plain().globals)
    if place in PLACES:
        known = names_of(definition, ())
        names = {name: known.get(name, OPEN) for name in PLACES[place]}
        return Scope(names, builtin, _TOO_EARLY, place)
    behind = STEPS[:2] if place == "notScorable" else STEPS[: STEPS.index(place.partition(".")[0])]
    names = names_of(definition, behind)
    if place == "generateReason":
        names["score"] = Known({"type": "number"}, {}, "score")
    if place == "generateScore.calculateScore":
        answer = definition.get("steps", "generateScore", "outputSchema")
        names |= {
            "analyzeStepResult": step_result(definition, "analyze"),
            "judgeOutput": described(answer, "judgeOutput"),
        }
    return Scope(names, builtin, _elsewhere(definition, behind), place)


PLACES: dict[str, tuple[str, ...]] = {
    "prepareRun": ("run", "params"),
    "data.where": ("row", "run"),
    "data.map": ("row",),
    "delayMs": ("retryCount",),
}


def _elsewhere(definition: Definition, behind: Iterable[str]) -> dict[str, str]:
    """Why a name that exists in another place does not exist here."""
    why = dict(_TOO_EARLY)
    for step in STEPS:
        key = f"results.{RESULT_KEY[step]}"
        if definition.get("steps", step) is None:
            why[key] = f"the scorer has no step '{step}'"
        elif step not in behind:
            why[key] = f"{step} has not run yet at this point"
    return why
