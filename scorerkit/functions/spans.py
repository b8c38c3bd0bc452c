"""The spans of a trace as the steps of a trajectory."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_LABEL = re.compile(r"[a-z_ ]+: '(.+?)'(?: on '.*')?")
_CONTAINERS = {"workflow_run", "agent_run"}
_TOOLS = {"tool_call", "mcp_tool_call", "provider_tool_call"}
_FIELDS: dict[str, dict[str, str]] = {
    "tool_call": {"success": "success"},
    "mcp_tool_call": {"mcpServer": "mcpServer", "success": "success"},
    "provider_tool_call": {},
    "model_generation": {"modelId": "model", "finishReason": "finishReason"},
    "agent_run": {},
    "workflow_step": {"status": "status"},
    "workflow_run": {"status": "status"},
    "workflow_conditional": {"conditionCount": "conditionCount", "selectedSteps": "selectedSteps"},
    "workflow_parallel": {"branchCount": "branchCount", "parallelSteps": "parallelSteps"},
    "workflow_loop": {"loopType": "loopType", "totalIterations": "totalIterations"},
    "workflow_sleep": {"sleepDurationMs": "durationMs", "sleepType": "sleepType"},
    "workflow_wait_event": {"eventName": "eventName", "eventReceived": "eventReceived"},
    "processor_run": {},
}
"""Type of a span that is a step → field of the step: attribute of the span. Other spans are passed through."""
_IDS = {
    "agent_run": "agentId",
    "workflow_run": "workflowId",
    "workflow_step": "stepId",
    "processor_run": "processorId",
}
"""Type of a step → its field with the id of what ran."""


class _Node(NamedTuple):
    span: dict[str, Json]
    children: list[_Node]


def steps_of_spans(spans: list[dict[str, Json]], root: str | None) -> dict[str, Json]:
    """The steps under one span, or under all roots; a span whose parent is not there is a root.

    A single root that is an agent or a workflow is only a container. Spans that are no steps (a model's chunks,
    scorers, whatever is not known) hand their children up. ``totalDurationMs`` is that of a single root.
    """
    nodes = {span["spanId"]: _Node(span, []) for span in spans}
    tops: list[_Node] = []
    for node in nodes.values():
        parent = nodes.get(node.span.get("parentSpanId") or "")
        (tops if parent is None or parent is node else parent.children).append(node)
    if root is not None:
        tops = [nodes[root]] if root in nodes else []
    for siblings in (tops, *(node.children for node in nodes.values())):
        siblings.sort(key=lambda node: time_of(node.span.get("startedAt")) or 0.0)
    if len(tops) != 1:
        return {"steps": _steps(tops)}
    top = tops[0]
    steps = _steps(top.children) if top.span.get("spanType") in _CONTAINERS else _steps(tops)
    duration = _duration(top.span)
    return {"steps": steps} if duration is None else {"steps": steps, "totalDurationMs": duration}


def bare_name(span: dict[str, Json]) -> str:
    """What ran, without the label that exporters put round it: ``tool: 'search'`` is ``search``."""
    name = span.get("name")
    label = name if isinstance(name, str) else ""
    if span.get("spanType") in _TOOLS:
        own = span.get("entityId") or span.get("entityName")
        if isinstance(own, str):
            return own
    found = _LABEL.fullmatch(label)
    return found.group(1) if found else label


def time_of(value: Json) -> float | None:
    """Milliseconds since 1970 of an ISO text; a number is taken for that already."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or not value:
        return None
    try:
        moment = dt.datetime.fromisoformat(value)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp() * 1000


def _steps(nodes: list[_Node]) -> list[dict[str, Json]]:
    """The steps of these spans. Works with a list of its own, not by recursion: chains of spans may be long."""
    found: list[dict[str, Json]] = []
    waiting = [(node, found) for node in reversed(nodes)]
    while waiting:
        node, steps = waiting.pop()
        inner = steps
        if node.span.get("spanType") in _FIELDS:
            step = _step(node.span)
            steps.append(step)
            inner = step["children"] = []
        waiting += [(child, inner) for child in reversed(node.children)]
    _drop_empty(found)
    return found


def _drop_empty(steps: list[dict[str, Json]]) -> None:
    waiting = [steps]
    while waiting:
        for step in waiting.pop():
            if step["children"]:
                waiting.append(step["children"])
            else:
                del step["children"]


def _step(span: dict[str, Json]) -> dict[str, Json]:
    kind = span["spanType"]
    step: dict[str, Json] = {"name": bare_name(span), "stepType": kind}
    duration = _duration(span)
    if duration is not None:
        step["durationMs"] = duration
    given = span.get("attributes")
    attributes = given if isinstance(given, dict) else {}
    for field, source in _FIELDS[kind].items():
        if attributes.get(source) is not None:
            step[field] = attributes[source]
    if kind in _IDS and span.get("entityId") is not None:
        step[_IDS[kind]] = span["entityId"]
    if kind in {"tool_call", "mcp_tool_call"}:
        _add(step, span, toolArgs="input", toolResult="output")
    elif kind == "workflow_step":
        _add(step, span, output="output")
    elif kind == "model_generation" and isinstance(attributes.get("usage"), dict):
        usage = attributes["usage"]
        step |= {
            field: usage[source]
            for field, source in (("promptTokens", "inputTokens"), ("completionTokens", "outputTokens"))
            if usage.get(source) is not None
        }
    return step


def _add(step: dict[str, Json], span: dict[str, Json], **fields: str) -> None:
    for field, source in fields.items():
        value = span.get(source)
        if value is not None:
            step[field] = value if isinstance(value, dict) else {"value": value}


def _duration(span: dict[str, Json]) -> float | None:
    start, end = time_of(span.get("startedAt")), time_of(span.get("endedAt"))
    if start is None or end is None:
        return None
    duration = round(end - start, 3)
    return int(duration) if duration == int(duration) else duration
