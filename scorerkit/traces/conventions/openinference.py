"""OpenInference attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.traces.conversation import messages_of
from scorerkit.traces.values import branch, number, parsed, text

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.traces.span import Kind, Span

_KIND = "openinference.span.kind"
_KINDS: dict[str, tuple[Kind, str]] = {
    "AGENT": ("agent", "agent_run"),
    "LLM": ("llm", "model_generation"),
    "TOOL": ("tool", "tool_call"),
}
_ROLES = {"model": "assistant"}


def recognises(attributes: dict[str, Json]) -> bool:
    return _KIND in attributes


def fill(span: Span, attributes: dict[str, Json], events: list[dict[str, Json]]) -> None:  # noqa: ARG001
    span.kind, span.step = _KINDS.get(str(attributes[_KIND]).upper(), ("other", "generic"))
    span.input, span.output = parsed(attributes.get("input.value")), parsed(attributes.get("output.value"))
    if span.kind == "tool":
        _tool(span, attributes)
        return
    if span.kind == "agent":
        span.name = text(attributes.get("agent.name")) or text(attributes.get("graph.node.id")) or span.name
    span.heard = _messages(attributes, "llm.input_messages") or messages_of(span.input)
    span.said = _messages(attributes, "llm.output_messages") or messages_of(span.output)
    if span.kind == "llm":
        span.name = text(attributes.get("llm.model_name")) or span.name
        _generation(span, attributes)


def _tool(span: Span, attributes: dict[str, Json]) -> None:
    keys = ("tool.name", "tool_call.function.name", "gen_ai.tool.name")
    span.name = next((name for key in keys if (name := text(attributes.get(key)))), span.name)
    identity = attributes.get("tool_call.id") or attributes.get("tool.id") or attributes.get("gen_ai.tool.call.id")
    span.call_id = text(identity) or ""
    if span.input is None:
        keys = ("tool_call.function.arguments", "tool.parameters", "gcp.vertex.agent.tool_call_args")
        span.input = next((parsed(attributes[key]) for key in keys if attributes.get(key) is not None), None)


def _generation(span: Span, attributes: dict[str, Json]) -> None:
    usage = {
        "inputTokens": number(attributes.get("llm.token_count.prompt")),
        "outputTokens": number(attributes.get("llm.token_count.completion")),
    }
    span.attributes = {
        "model": attributes.get("llm.model_name"),
        "usage": {key: count for key, count in usage.items() if count is not None},
    }


def _messages(attributes: dict[str, Json], prefix: str) -> list[Json] | None:
    """The messages under a prefix as chat messages."""
    listed = branch(attributes, prefix)
    items = [item.get("message", item) for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return [_chat(item) for item in items if isinstance(item, dict)] or None


def _chat(message: dict[str, Json]) -> dict[str, Json]:
    role = message.get("role")
    made: dict[str, Json] = {"role": _ROLES.get(role, role) if isinstance(role, str) else "user"}
    made["content"] = _content(message)
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        given = [call.get("tool_call", call) for call in calls if isinstance(call, dict)]
        made["tool_calls"] = [_call(call) for call in given if isinstance(call, dict)]
    for key in ("tool_call_id", "name"):
        if text(message.get(key)):
            made[key] = message[key]
    return made


def _call(call: dict[str, Json]) -> dict[str, Json]:
    function = call.get("function")
    fields = function if isinstance(function, dict) else {}
    return {"id": call.get("id"), "function": {"name": fields.get("name"), "arguments": fields.get("arguments")}}


def _content(message: dict[str, Json]) -> Json:
    contents = message.get("contents")
    if not isinstance(contents, list):
        return message.get("content")
    inner = [item.get("message_content", item) for item in contents if isinstance(item, dict)]
    return [_block(item) for item in inner if isinstance(item, dict)]


def _block(item: dict[str, Json]) -> dict[str, Json]:
    said = item.get("text")
    return {"type": "text", "text": said} if isinstance(said, str) else {"type": "file", **item}
