"""Mastra: ``[{traceId, spans}]``, bare spans, and snapshots of its exporters (``{spans: [{span, children}]}``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.errors import RecordError
from scorerkit.functions.spans import bare_name, time_of
from scorerkit.traces.conversation import messages_of
from scorerkit.traces.span import BAD_RECORD, Identity, Raw, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json
    from scorerkit.traces.span import Kind

STRICT = True

_KINDS: dict[str, Kind] = {
    "agent_run": "agent",
    "model_generation": "llm",
    "tool_call": "tool",
    "mcp_tool_call": "tool",
    "provider_tool_call": "tool",
}


def prefix(head: Json) -> str | None:
    listed = isinstance(head, list)
    first = head[0] if listed and head else head
    if not isinstance(first, dict):
        return None
    spans = first.get("spans")
    if isinstance(spans, list):
        if "traceId" in first and (not spans or _is_span(spans[0])):
            return "item" if listed else ""
        inner = spans[0].get("span") if spans and isinstance(spans[0], dict) else None
        return ("item.spans.item" if listed else "spans.item") if _is_span(inner) else None
    return ("item" if listed else "") if _is_span(first) or _is_span(first.get("span")) else None


def raws(value: Json) -> Iterator[Raw]:
    trace = value.get("traceId") if isinstance(value, dict) and "spans" in value else None
    if isinstance(trace, str) and value["spans"] == []:
        raise RecordError(BAD_RECORD, f"the trace '{trace}' has no spans")
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += reversed(item)
        elif isinstance(item, dict) and isinstance(item.get("spans"), list):
            waiting.append(item["spans"])
        elif isinstance(item, dict) and isinstance(item.get("span"), dict):
            waiting.append(item.get("children") or [])
            yield _raw(item["span"], trace)
        elif isinstance(item, dict):
            yield _raw(item, trace)
        else:
            raise RecordError(BAD_RECORD, "this is no span")


def identity(raw: Raw) -> Identity:
    metadata, attributes = raw.value.get("metadata"), raw.value.get("attributes")
    fields = {
        **(attributes if isinstance(attributes, dict) else {}),
        **(metadata if isinstance(metadata, dict) else {}),
    }
    fields |= {key: raw.value[key] for key in ("threadId", "sessionId", "resourceId", "userId") if raw.value.get(key)}
    session = fields.get("sessionId") or fields.get("threadId") or fields.get("conversationId")
    user = fields.get("userId") or fields.get("resourceId")
    return Identity(session if isinstance(session, str) else None, user if isinstance(user, str) else None)


def span(raw: Raw) -> Span:
    value = raw.value
    step = str(value.get("spanType", value.get("type")))
    attributes = value.get("attributes")
    entity = value.get("entityId")
    made = Span(
        raw.id,
        kind=_KINDS.get(step, "other"),
        step=step,
        name=bare_name({**value, "spanType": step}),
        start=time_of(value.get("startedAt", value.get("startTime"))),
        end=time_of(value.get("endedAt", value.get("endTime"))),
        input=value.get("input"),
        output=value.get("output"),
        error=_error(value.get("errorInfo", value.get("error"))),
        entity=entity if isinstance(entity, str) else None,
        attributes=attributes if isinstance(attributes, dict) else {},
    )
    if made.kind in {"agent", "llm"}:
        made.heard, made.said = messages_of(made.input), messages_of(made.output)
    return made


def more(raw: Raw) -> dict[str, Json]:  # noqa: ARG001
    return {}


def _raw(value: dict[str, Json], trace: Json) -> Raw:
    own_trace, own = value.get("traceId", trace), value.get("spanId", value.get("id"))
    parent = value.get("parentSpanId", value.get("parentId"))
    if not isinstance(own_trace, str) or not own_trace or not isinstance(own, str) or not own:
        raise RecordError(BAD_RECORD, f"the span '{value.get('name', '')}' has no 'traceId' or no 'spanId'")
    return Raw(own_trace, own, parent if isinstance(parent, str) and parent else None, value)


def _is_span(value: Json) -> bool:
    if not isinstance(value, dict) or "traceId" not in value:
        return False
    return ("spanId" in value and "spanType" in value) or {"id", "type", "name", "isRootSpan"} <= value.keys()


def _error(given: Json) -> str | None:
    if given is None:
        return None
    message = given.get("message") if isinstance(given, dict) else given
    return message if isinstance(message, str) else ""
