"""What an agent answered: the messages of its models and the calls of its tools, in the order of time."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import orjson

from scorerkit.functions.conversation import assistant_message, text_of
from scorerkit.functions.tools import invocations
from scorerkit.messages.canonical import invocation_part, outcome, text_part
from scorerkit.messages.reading import read_messages
from scorerkit.traces.conversation import text_of_value
from scorerkit.traces.values import parsed

if TYPE_CHECKING:
    from scorerkit.messages.canonical import Messages
    from scorerkit.model.json import Json
    from scorerkit.traces.span import Span
    from scorerkit.traces.trace import Trace


class _Event(NamedTuple):
    """A call, or a message of a model."""

    time: float
    call: dict[str, Json] | None
    message: dict[str, Json] | None = None


def response_of(trace: Trace, head: Span, spans: list[Span]) -> Messages:
    """The response messages under a span.

    Every tool that ran under it is a call, nested ones too; a call that a model asked for and no span shows is one as
    well, with its result where a later message has it. What models of nested agents said is not the agent's word.

    Raises:
        RecordError: messages that are not understood, with the span and the place.
    """
    tools = [span for span in spans if span.kind == "tool"]
    events = [_Event(span.start or 0.0, invocation_of(span)) for span in tools]
    speakers = own_models(trace, spans) or [head]
    unseen = _Unseen(tools, speakers if trace.form.STRICT else [span for span in spans if span.kind == "llm"])
    if not trace.form.STRICT:
        for span in speakers:
            events += [_Event(_told_at(span), None, message) for message in unseen.left_of(span)]
    made = _messages(sorted(events, key=lambda event: event.time))
    final = _final(trace, head)
    if final is not None and not _same_text(final, assistant_message(made)):
        made.append(_message(head, [text_part(final)]))
    return made


def own_models(trace: Trace, spans: list[Span]) -> list[Span]:
    """The model spans that speak for the agent: those under the fewest agents and tools, innermost ones only."""
    models = {span.id for span in spans if span.kind == "llm"}
    inside = {span.id for span in spans}
    wrapping = {above for own in models for above in trace.ancestors(own) if above in models}
    depths = {
        own: sum(trace.span(above).kind in {"agent", "tool"} for above in trace.ancestors(own) if above in inside)
        for own in models - wrapping
    }
    least = min(depths.values(), default=0)
    return [span for span in spans if depths.get(span.id) == least]


def invocation_of(span: Span) -> dict[str, Json]:
    """A tool span as an invocation."""
    made: dict[str, Json] = {
        "toolCallId": span.call_id or span.id,
        "toolName": span.name,
        "args": {} if span.input is None else span.input,
    }
    if span.error is not None:
        made |= outcome(span.error, failed=True)
        return made | {"result": span.output} if span.output is not None else made
    if span.output is None and span.end is None:
        return made | {"state": "call"}
    return made | outcome(span.output)


class _Unseen:
    """What models said, less the calls that tool spans show."""

    def __init__(self, tools: list[Span], models: list[Span]) -> None:
        self._ids = {span.call_id for span in tools if span.call_id}
        self._names = Counter(span.name for span in tools)
        self._results = {
            call["toolCallId"]: call
            for span in models
            for _, _, call in invocations(read_messages(span.heard or [], _place(span, "input"), "user"))
            if call.get("toolCallId") and call.get("state") in {"result", "output-error"}
        }

    def left_of(self, span: Span) -> Messages:
        """The messages of a span that are not empty without those calls."""
        said = span.said or ([{"role": "assistant", "content": span.output}] if _speaks(span) else [])
        found = []
        for message in read_messages(said, _place(span, "output"), "assistant"):
            if message["role"] not in {"assistant", "tool"}:
                continue
            parts = [part for part in message["content"].get("parts") or [] if self._is_new(part)]
            if parts:
                made = _message(span, parts)
                found.append({**made, "role": message["role"]})
        return found

    def _is_new(self, part: dict[str, Json]) -> bool:
        call = part.get("toolInvocation")
        if not isinstance(call, dict):
            return part.get("type") != "text" or bool(part.get("text"))
        identity, name = call.get("toolCallId"), str(call.get("toolName"))
        if identity in self._ids or self._names[name] > 0:
            self._names[name] -= 1
            return False
        if call.get("state") == "call" and identity in self._results:
            known = self._results[identity]
            call |= {key: known[key] for key in ("state", "result", "errorText") if key in known}
        return True


def _speaks(span: Span) -> bool:
    return span.kind == "llm" and isinstance(span.output, str) and bool(span.output)


def _place(span: Span, what: str) -> tuple[str | int, ...]:
    return (f"span '{span.id}'", what)


def _told_at(span: Span) -> float:
    return span.end if span.end is not None else span.start or 0.0


def _messages(events: list[_Event]) -> Messages:
    """One message for what a model said, with the calls that came after it."""
    made: Messages = []
    for event in events:
        if event.message is not None:
            made.append(event.message)
            continue
        assert event.call is not None
        part = invocation_part(event.call)
        if made and made[-1]["role"] == "assistant":
            made[-1]["content"]["parts"].append(part)
        else:
            content = {"format": 2, "parts": [part]}
            made.append(
                {"id": event.call["toolCallId"], "role": "assistant", **_created(event.time), "content": content}
            )
    return made


def _message(span: Span, parts: list[dict[str, Json]]) -> dict[str, Json]:
    return {
        "id": span.id,
        "role": "assistant",
        **_created(_told_at(span)),
        "content": {"format": 2, "parts": parts},
    }


def _created(time: float) -> dict[str, Json]:
    try:
        moment = dt.datetime.fromtimestamp(time / 1000, dt.UTC) if time > 0 else None
    except (OverflowError, ValueError, OSError):
        moment = None
    return {"createdAt": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")} if moment else {}


def _final(trace: Trace, head: Span) -> str | None:
    """What the agent, or the note on the trace, says was the answer; None where neither does in words."""
    sources = [head]
    if not trace.form.STRICT and head.id == trace.root:
        whole = trace.whole()
        sources += [whole] if whole is not None else []
    for source in sources:
        said = (
            assistant_message(read_messages(source.said, _place(source, "output"), "assistant")) if source.said else ""
        )
        said = said or text_of_value(source.output) or ""
        if said.strip():
            return said
    structured = next((source.output for source in reversed(sources) if isinstance(source.output, (dict, list))), None)
    if trace.form.STRICT or structured is None or any(source.said for source in sources):
        return None
    return (
        None if own_models(trace, trace.under(None)) and not _is_only_word(trace) else orjson.dumps(structured).decode()
    )


def _is_only_word(trace: Trace) -> bool:
    """Whether no model said anything in words."""
    for span in own_models(trace, trace.under(None)):
        messages = read_messages(span.said or [], _place(span, "output"), "assistant")
        if any(text_of(message) for message in messages) or _speaks(span):
            return False
    return True


def _same_text(one: str, two: str) -> bool:
    return one.strip() == two.strip() or (parsed(one) == parsed(two) and bool(two))
