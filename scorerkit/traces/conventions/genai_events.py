"""Messages that older GenAI instrumentation put into the events of a span."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.traces.conversation import messages_of
from scorerkit.traces.values import parsed

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CHOICE = "gen_ai.choice"
_WHOLE = {
    "gen_ai.content.prompt": ("gen_ai.prompt", "heard"),
    "gen_ai.content.completion": ("gen_ai.completion", "said"),
}
_DETAILS = "gen_ai.client.inference.operation.details"

Told = tuple["list[Json] | None", "list[Json] | None"]


def told_by_events(events: list[dict[str, Json]]) -> Told:
    """What the model heard and what it said; None for what no event tells."""
    told: dict[str, list[Json]] = {"heard": [], "said": []}
    for event in events:
        name, attributes = str(event.get("name")), event.get("attributes")
        fields = attributes if isinstance(attributes, dict) else {}
        if name in _ROLES:
            told["heard"].append(_message(_body(event, fields), _ROLES[name]))
        elif name == _CHOICE:
            body = _body(event, fields)
            inner = parsed(body.get("message"))
            told["said"].append(_message(inner if isinstance(inner, dict) else body, "assistant"))
        elif name in _WHOLE:
            key, side = _WHOLE[name]
            told[side] += messages_of(fields.get(key)) or []
        elif name == _DETAILS:
            told["heard"] += messages_of(fields.get("gen_ai.input.messages")) or []
            told["said"] += messages_of(fields.get("gen_ai.output.messages")) or []
    return told["heard"] or None, told["said"] or None


def _body(event: dict[str, Json], attributes: dict[str, Json]) -> dict[str, Json]:
    """What the event says: its body, JSON in an attribute, or the attributes themselves."""
    for value in (event.get("body"), attributes.get("gen_ai.event.content"), attributes.get("event_body")):
        found = parsed(value)
        if isinstance(found, dict):
            return found
    return attributes


def _message(body: dict[str, Json], role: str) -> dict[str, Json]:
    content = body.get("content")
    said = parsed(content) if isinstance(content, str) and content.lstrip().startswith("[{") else content
    message: dict[str, Json] = {"role": body.get("role") or role, "content": said}
    calls = parsed(body.get("tool_calls"))
    if isinstance(calls, list):
        message["tool_calls"] = calls
    identity = body.get("id") or body.get("tool_call_id")
    if role == "tool" and isinstance(identity, str):
        message["tool_call_id"] = identity
    if isinstance(body.get("name"), str):
        message["name"] = body["name"]
    return message
