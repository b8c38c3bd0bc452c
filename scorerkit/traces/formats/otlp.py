"""OTLP as JSON (documents and lines), and spans as the OpenTelemetry SDKs print them.

OTLP writes ids in hexadecimal or base64 and enums as numbers or names; both are read. A document ``{spans,
final_output}`` holds one run: what its spans lost of their parents hangs under its root.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from scorerkit.errors import RecordError
from scorerkit.functions.spans import time_of
from scorerkit.messages.canonical import listed
from scorerkit.traces.conventions import understand
from scorerkit.traces.span import BAD_RECORD, WHOLE, Identity, Raw, Span
from scorerkit.traces.values import flat, milliseconds, span_id, trace_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorerkit.model.json import Json

STRICT = False
ONE_RUN = "final_output"
"""The key of what one run came to; beside its spans in a document that holds nothing else."""

_RESOURCES = ("resourceSpans", "resource_spans", "batches")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_SESSIONS = ("session.id", "gen_ai.conversation.id", "langfuse.session.id")
_USERS = ("user.id", "enduser.id", "langfuse.user.id")
_IDENTITY = frozenset(_SESSIONS + _USERS)
_TRACE_DIGITS, _SPAN_DIGITS = 32, 16
_new = tuple.__new__
_NOBODY = Identity()
_FAILED = {2, "2", "STATUS_CODE_ERROR", "ERROR", "error", "StatusCode.ERROR"}


def prefix(head: Json) -> str | None:
    listed = isinstance(head, list)
    first = head[0] if listed and head else head
    if not isinstance(first, dict):
        return None
    start = "item." if listed else ""
    for key in _RESOURCES:
        resources = first.get(key)
        if isinstance(resources, list):
            resource = resources[0] if resources and isinstance(resources[0], dict) else {}
            scopes = next((scope for scope in _SCOPES if scope in resource), _SCOPES[0])
            return f"{start}{key}.item.{scopes}.item.spans.item"
    spans = first.get("spans")
    if isinstance(spans, list) and spans and is_printed(spans[0]):
        return f"{start}spans.item"
    if is_printed(first):
        return "item" if listed else ""
    return None


def raws(value: Json) -> Iterable[Raw]:
    if isinstance(value, dict):
        if "traceId" in value and "spanId" in value:
            return (_exported(value),)
        for key in _RESOURCES:
            if key in value:
                return _of_resources(value[key])
        if "spanId" in value or "span_id" in value:
            return (_exported(value),)
        if "spans" in value and "context" not in value:
            return _of_one_document(value)
        if "context" in value:
            return (printed(value),)
    elif isinstance(value, list):
        return itertools.chain.from_iterable(map(raws, value))
    raise RecordError(BAD_RECORD, "this is no span of OTLP, and holds none")


def identity(raw: Raw) -> Identity:
    given = raw.value.get("attributes")
    if isinstance(given, dict):
        return identity_of(given) if not _IDENTITY.isdisjoint(given) else _NOBODY
    found = {}
    for pair in given if type(given) is list else ():
        if type(pair) is dict and pair.get("key") in _IDENTITY:
            found[pair["key"]] = _value(pair.get("value"))
    return identity_of(found) if found else _NOBODY


def identity_of(attributes: dict[str, Json]) -> Identity:
    """Session and user as attributes name them."""
    session = next((found for key in _SESSIONS if isinstance(found := attributes.get(key), str) and found), None)
    user = next((found for key in _USERS if isinstance(found := attributes.get(key), str) and found), None)
    return Identity(session, user)


def span(raw: Raw) -> Span:
    value = raw.value
    if raw.id == WHOLE:
        return Span(WHOLE, output=value.get(ONE_RUN))
    made = Span(raw.id, name=str(value.get("name") or ""))
    printed_times = "startTimeUnixNano" not in value and "start_time_unix_nano" not in value
    if printed_times:
        made.start, made.end = _moment(value.get("start_time")), _moment(value.get("end_time"))
    else:
        made.start = milliseconds(value.get("startTimeUnixNano") or value.get("start_time_unix_nano"))
        made.end = milliseconds(value.get("endTimeUnixNano") or value.get("end_time_unix_nano"))
    given = value.get("events")
    events = [_event(event) for event in listed(given) if isinstance(event, dict)]
    understand(made, attributes_of(value), events)
    made.error = _error(value, events)
    if made.kind == "tool":
        made.attributes = {**(made.attributes or {}), "success": made.error is None}
    return made


def more(raw: Raw) -> dict[str, Json]:  # noqa: ARG001
    return {}


def is_printed(value: Json) -> bool:
    """Whether this is a span as an SDK or Phoenix prints it."""
    context = value.get("context") if isinstance(value, dict) else None
    return isinstance(context, dict) and "trace_id" in context and "span_id" in context


def printed(value: dict[str, Json]) -> Raw:
    """A span with its ids under ``context``, and its parent as ``parent`` or ``parent_id``.

    Raises:
        RecordError: an id is missing.
    """
    context = value["context"] if isinstance(value["context"], dict) else {}
    parent = value.get("parent_id", value.get("parent"))
    parent = parent.get("span_id") if isinstance(parent, dict) else parent
    return checked(trace_id(context.get("trace_id")), span_id(context.get("span_id")), span_id(parent), value)


def checked(trace: str, own: str, parent: str, value: dict[str, Json]) -> Raw:
    """The span, whose ids must be there.

    Raises:
        RecordError: ``bad-record``.
    """
    if not trace or not own:
        missing = "trace id" if not trace else "span id"
        raise RecordError(BAD_RECORD, f"the span '{value.get('name', '')}' has no {missing}")
    return Raw(trace, own, parent or None, value)


def attributes_of(value: dict[str, Json]) -> dict[str, Json]:
    """The attributes of a span as a flat mapping."""
    given = value.get("attributes")
    if isinstance(given, list):
        return {pair["key"]: _value(pair.get("value")) for pair in given if isinstance(pair, dict) and "key" in pair}
    return flat(given)


def _of_resources(resources: Json) -> Iterable[Raw]:
    return map(_exported, _values_of(resources))


def _values_of(resources: Json) -> list[Json]:
    """All spans of a request as they stand there; lines hold one mostly."""
    found: list[Json] = []
    for resource in resources if type(resources) is list else ():
        if type(resource) is not dict:
            continue
        scopes = resource.get("scopeSpans")
        if scopes is None:
            scopes = next((resource[key] for key in _SCOPES if key in resource), None)
        for scope in scopes if type(scopes) is list else ():
            spans = scope.get("spans") if type(scope) is dict else None
            if type(spans) is list:
                found += spans
    return found


def _of_one_document(value: dict[str, Json]) -> Iterator[Raw]:
    trace = None
    for inner in listed(value["spans"]):
        for raw in raws(inner):
            trace = raw.trace
            yield raw
    if ONE_RUN in value and trace:
        yield Raw(trace, WHOLE, None, {ONE_RUN: value[ONE_RUN]})


def _exported(value: Json) -> Raw:
    if not isinstance(value, dict):
        raise RecordError(BAD_RECORD, "this is no span")
    get = value.get
    trace, own, parent = get("traceId"), get("spanId"), get("parentSpanId")
    if type(trace) is str and type(own) is str and len(trace) == _TRACE_DIGITS and len(own) == _SPAN_DIGITS:
        if not parent:
            return _new(Raw, (trace.lower(), own.lower(), None, value))
        if type(parent) is str and len(parent) == _SPAN_DIGITS:  # by far the most common: no more is to be asked
            return _new(Raw, (trace.lower(), own.lower(), parent.lower(), value))
    trace, own = trace or get("trace_id"), own or get("span_id")
    parent = parent or get("parent_span_id")
    return checked(trace_id(trace), span_id(own), span_id(parent) if parent else "", value)


def _value(given: Json) -> Json:
    """An ``AnyValue``: its only key says the kind."""
    if not isinstance(given, dict) or not given:
        return None
    kind, value = next(iter(given.items()))
    if kind.startswith("string"):
        return value
    if kind.startswith("int"):
        try:
            return int(value)
        except (TypeError, ValueError):
            return value
    values = value.get("values") if isinstance(value, dict) else None
    if kind.startswith("array"):
        return [_value(item) for item in listed(values)]
    if kind.startswith("kvlist"):
        return {pair["key"]: _value(pair.get("value")) for pair in listed(values) if isinstance(pair, dict)}
    return value


def _event(event: dict[str, Json]) -> dict[str, Json]:
    return {"name": event.get("name"), "attributes": attributes_of(event), "body": event.get("body")}


def _error(value: dict[str, Json], events: list[dict[str, Json]]) -> str | None:
    """What the span says of its failure: the status, or the exception behind it."""
    status = value.get("status")
    fields = status if isinstance(status, dict) else {"code": value.get("status_code")}
    code = fields.get("code", fields.get("status_code"))
    if code == 1:
        return None
    if not isinstance(code, (int, str)) or code not in _FAILED:
        return None
    said = fields.get("message") or fields.get("description") or value.get("status_message")
    if isinstance(said, str) and said:
        return said
    thrown = (event["attributes"].get("exception.message") for event in events if event["name"] == "exception")
    return next((text for text in thrown if isinstance(text, str)), "")


def _moment(value: Json) -> float | None:
    return time_of(value) if isinstance(value, str) else milliseconds(value)
