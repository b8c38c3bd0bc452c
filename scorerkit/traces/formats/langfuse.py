"""Langfuse exports: ``{trace, observations}``, traces with ``observations``, and bare observations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.errors import RecordError
from scorerkit.functions.spans import time_of
from scorerkit.messages.canonical import listed
from scorerkit.traces.conventions import understand
from scorerkit.traces.conversation import messages_of
from scorerkit.traces.formats.otlp import identity_of
from scorerkit.traces.span import BAD_RECORD, WHOLE, Identity, Raw, Span
from scorerkit.traces.values import flat, number, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json
    from scorerkit.traces.span import Kind

STRICT = False

_KINDS: dict[str, tuple[Kind, str]] = {
    "GENERATION": ("llm", "model_generation"),
    "TOOL": ("tool", "tool_call"),
    "AGENT": ("agent", "agent_run"),
}
_SCORE = ("name", "value", "stringValue", "source", "comment")


def prefix(head: Json) -> str | None:
    listed = isinstance(head, list)
    first = head[0] if listed and head else head
    if not isinstance(first, dict):
        return None
    whole = isinstance(first.get("trace"), dict) and "id" in first["trace"]
    observed = isinstance(first.get("observations"), list) and "id" in first
    return ("item" if listed else "") if whole or observed or _is_observation(first) else None


def raws(value: Json) -> Iterator[Raw]:
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            raise RecordError(BAD_RECORD, "this is neither a trace nor an observation")
        trace = item.get("trace") if isinstance(item.get("trace"), dict) else item if "observations" in item else None
        if trace is None:
            yield _raw(item, None)
            continue
        own = trace.get("id")
        if not isinstance(own, str) or not own:
            raise RecordError(BAD_RECORD, f"the trace '{trace.get('name', '')}' has no 'id'")
        yield Raw(own, WHOLE, None, {key: inner for key, inner in trace.items() if key != "observations"})
        for observation in listed(item.get("observations")):
            if isinstance(observation, dict):
                yield _raw(observation, own)


def identity(raw: Raw) -> Identity:
    if raw.id == WHOLE:
        session, user = raw.value.get("sessionId"), raw.value.get("userId")
        return Identity(session if isinstance(session, str) else None, user if isinstance(user, str) else None)
    return identity_of(_attributes(raw.value))


def span(raw: Raw) -> Span:
    value = raw.value
    made = Span(raw.id, name=str(value.get("name") or ""))
    given, output = parsed(value.get("input")), parsed(value.get("output"))
    if raw.id == WHOLE:
        made.input, made.output = given, output
        made.heard, made.said = messages_of(given), messages_of(output)
        return made
    made.start, made.end = time_of(value.get("startTime")), time_of(value.get("endTime"))
    understand(made, _attributes(value), [])
    made.kind, made.step = _KINDS.get(str(value.get("type")), (made.kind, made.step))
    made.input = made.input if given is None else given
    made.output = made.output if output is None else output
    if made.kind == "other" and _answers(output):
        made.kind, made.step, made.call_id, made.output = "tool", "tool_call", output["tool_call_id"], output["content"]
    if value.get("level") == "ERROR":
        made.error = str(value.get("statusMessage") or "")
    if made.kind == "llm":
        _generation(made, value)
    if made.kind == "tool":
        made.attributes = {**(made.attributes or {}), "success": made.error is None}
    else:
        made.heard = made.heard or messages_of(_without_definitions(given))
        made.said = made.said or messages_of(output)
    return made


def more(raw: Raw) -> dict[str, Json]:
    if raw.id != WHOLE:
        return {}
    scores = [score for score in listed(raw.value.get("scores")) if isinstance(score, dict)]
    kept = [{key: score[key] for key in _SCORE if score.get(key) is not None} for score in scores]
    found = {"name": raw.value.get("name"), "tags": raw.value.get("tags"), "scores": kept}
    return {"metadata": {key: value for key, value in found.items() if value}}


def _raw(value: dict[str, Json], trace: str | None) -> Raw:
    own_trace, own, parent = value.get("traceId", trace), value.get("id"), value.get("parentObservationId")
    if not isinstance(own_trace, str) or not own_trace or not isinstance(own, str) or not own:
        raise RecordError(BAD_RECORD, f"the observation '{value.get('name', '')}' has no 'id' or no 'traceId'")
    return Raw(own_trace, own, parent if isinstance(parent, str) and parent else None, value)


def _is_observation(value: dict[str, Json]) -> bool:
    return "traceId" in value and "id" in value and "type" in value and "parentObservationId" in value


def _attributes(value: dict[str, Json]) -> dict[str, Json]:
    """The attributes of the span that became this observation, where it was one."""
    metadata = parsed(value.get("metadata"))
    return flat(metadata.get("attributes")) if isinstance(metadata, dict) else {}


def _generation(made: Span, value: dict[str, Json]) -> None:
    usage = value.get("usageDetails") or value.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    told = {"inputTokens": number(counts.get("input")), "outputTokens": number(counts.get("output"))}
    made.name = value["model"] if isinstance(value.get("model"), str) else made.name
    known = (made.attributes or {}).get("usage") or {}
    usage = {**known, **{key: count for key, count in told.items() if count is not None}}
    made.attributes = {**(made.attributes or {}), "model": made.name, "usage": usage}


def _answers(output: Json) -> bool:
    """Whether this is a LangChain message of a tool."""
    return isinstance(output, dict) and output.get("type") == "tool" and isinstance(output.get("tool_call_id"), str)


def _without_definitions(value: Json) -> Json:
    """Messages without the tools that some integrations list among them."""
    if not isinstance(value, list):
        return value
    return [item for item in value if not _defines(item)]


def _defines(item: Json) -> bool:
    content = item.get("content") if isinstance(item, dict) and item.get("role") == "tool" else None
    function = content.get("function") if isinstance(content, dict) else None
    return isinstance(function, dict) and "parameters" in function
