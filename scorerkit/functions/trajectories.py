"""Trajectories: what an agent or a workflow did, as a list of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.errors import RecordError
from scorerkit.functions.arguments import shown
from scorerkit.functions.spans import steps_of_spans
from scorerkit.functions.tools import invocations
from scorerkit.messages.reading import read_messages

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.run import ScorerRun

_CALLED = frozenset({"call", "result", "output-error"})


def trajectory(value: Json, root: str | None = None) -> dict[str, Json]:
    """The steps of a message list (its tool calls), of a workflow's result or of a trace; a trajectory is itself.

    A call is ``{stepType: tool_call, name, toolArgs?, toolResult?, success}``: ``success`` says that it was answered,
    and not by an error; arguments and results that are not objects are ``{value: …}``, absent ones left out. A
    workflow's ``{stepResults, stepExecutionPath?}`` gives ``workflow_step``s in the order of the path. A trace is a
    list of spans with ``spanId`` and ``spanType``; ``root`` names the span whose steps are wanted, None meaning all
    roots. A list of ``{name, args, result?}`` is calls. Of messages and workflows the raw value is kept beside
    ``steps``. Plain text is an answer without steps.

    Raises:
        ValueError: none of these.
    """
    if isinstance(value, list) and value and all(_is_span(item) for item in value):
        return steps_of_spans(value, root)
    if isinstance(value, list) and value and all(map(_is_call, value)):
        return {"steps": [_plain_step(call) for call in value]}
    if isinstance(value, (list, str)):
        return {"steps": _tool_steps(value), "rawOutput": value}
    if isinstance(value, dict):
        if isinstance(value.get("steps"), list):
            return value
        if isinstance(value.get("stepResults"), dict):
            return _workflow(value)
        if "content" in value or isinstance(value.get("text"), str):
            return {"steps": _tool_steps(value), "rawOutput": value}
    message = f"trajectory needs messages, a workflow's result, spans or a trajectory, not {shown(value)}"
    raise ValueError(message)


def to_trajectory_run(run: ScorerRun) -> ScorerRun:
    """The run with a trajectory as its output: messages of any shape, calls, workflow results and spans are converted.

    Raises:
        RecordError: ``type-mismatch`` for an output that is none of these, with the path of what does not fit.
    """
    output = run.output
    if isinstance(output, list) and not all(_is_span(item) or _is_call(item) for item in output):
        output = read_messages(output, ("output",), "assistant")
    try:
        return run._replace(output=trajectory(output))
    except ValueError as error:
        fix = "give messages, a workflow's result, or {'steps': [{'name': …}]}"
        raise RecordError("type-mismatch", f"output: {error}", at="output", fix=fix) from None


def wrapped(value: Json) -> Json:
    """Arguments and results as objects: what is none becomes ``{value: …}``."""
    return value if isinstance(value, dict) else {"value": value}


def _is_span(value: Json) -> bool:
    return isinstance(value, dict) and isinstance(value.get("spanId"), str) and "spanType" in value


def _is_call(value: Json) -> bool:
    """A call without a message around it; messages have a role."""
    return isinstance(value, dict) and isinstance(value.get("name"), str) and "args" in value and "role" not in value


def _plain_step(call: dict[str, Json]) -> dict[str, Json]:
    return {"stepType": "tool_call", "name": call["name"], **_given(call)}


def _given(call: dict[str, Json]) -> dict[str, Json]:
    """Arguments and result of a call, where it has them."""
    keys = (("toolArgs", "args"), ("toolResult", "result"))
    return {key: wrapped(call[source]) for key, source in keys if call.get(source) is not None}


def _tool_steps(messages: Json) -> list[dict[str, Json]]:
    return [
        _tool_step(call)
        for _, _, call in invocations(messages)
        if call.get("state") in _CALLED and call.get("toolName")
    ]


def _tool_step(call: dict[str, Json]) -> dict[str, Json]:
    success = call["state"] == "result" and not call.get("isError")
    return {"stepType": "tool_call", "name": call["toolName"], **_given(call), "success": success}


def _workflow(value: dict[str, Json]) -> dict[str, Json]:
    results = value["stepResults"]
    path = value.get("stepExecutionPath")
    names = [name for name in path if isinstance(name, str)] if isinstance(path, list) else list(results)
    done = [(name, results[name]) for name in names if isinstance(results.get(name), dict)]
    found: dict[str, Json] = {"steps": [_workflow_step(name, result) for name, result in done]}
    times = [(result.get("startedAt"), result.get("endedAt")) for _, result in done]
    starts = [start for start, _ in times if _is_number(start)]
    ends = [end for _, end in times if _is_number(end)]
    if starts and ends:
        found["totalDurationMs"] = max(ends) - min(starts)
    found["rawWorkflowResult"] = {key: value[key] for key in ("stepResults", "stepExecutionPath") if key in value}
    return found


def _workflow_step(name: str, result: dict[str, Json]) -> dict[str, Json]:
    step: dict[str, Json] = {"stepType": "workflow_step", "name": name, "stepId": name}
    if result.get("status") is not None:
        step["status"] = result["status"]
    if result.get("output") is not None:
        step["output"] = wrapped(result["output"])
    if _is_number(result.get("startedAt")) and _is_number(result.get("endedAt")):
        step["durationMs"] = result["endedAt"] - result["startedAt"]
    return step


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
