"""Shapes that this release knows by sight and does not read: named, never guessed at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from scorerkit.messages.paths import mismatch

if TYPE_CHECKING:
    from scorerkit.messages.canonical import OpenCalls
    from scorerkit.model.json import Json, Path

_RESPONSES = frozenset(
    {
        "message",
        "function_call",
        "function_call_output",
        "reasoning",
        "web_search_call",
        "computer_call",
        "item_reference",
    }
)
_LANGCHAIN = frozenset({"human", "ai", "AIMessageChunk", "constructor", "tool", "system", "function", "chat", "remove"})
_PARTS = {
    "input_text": "OpenAI Responses items",
    "output_text": "OpenAI Responses items",
    "tool_use": "Anthropic content blocks",
    "tool_result": "Anthropic content blocks",
    "thinking": "Anthropic content blocks",
    "redacted_thinking": "Anthropic content blocks",
    "server_tool_use": "Anthropic content blocks",
    "tool-call": "AI SDK messages",
    "tool-result": "AI SDK messages",
    "reasoning": "AI SDK messages",
    "tool_call": "OpenTelemetry GenAI messages",
    "tool_call_response": "OpenTelemetry GenAI messages",
}


def recognises(message: dict[str, Json]) -> bool:
    return _name(message) is not None


def read(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> NoReturn:  # noqa: ARG001
    raise mismatch(
        path,
        f"is one of {_name(message)}, which are not in this release",
        why="not-in-this-release: agent messages are read as text, OpenAI chat messages or canonical messages",
        fix="convert it to OpenAI chat messages, or map another column",
    )


def _name(message: dict[str, Json]) -> str | None:
    """What the shape is called, or None if it is not one of these."""
    if isinstance(message.get("parts"), list):
        return _name_of_parts(message["parts"])
    content = message.get("content")
    if isinstance(content, list):
        for part in content:
            if isinstance(part, dict) and part.get("type") in _PARTS:
                return _PARTS[part["type"]]
    if isinstance(message.get("toolInvocations"), list):
        return "AI SDK UI messages"
    return _name_of_type(message)


def _name_of_parts(parts: list[Json]) -> str:
    otel = any(isinstance(part, dict) and (part.get("type") in _PARTS or "content" in part) for part in parts)
    return "OpenTelemetry GenAI messages" if otel else "AI SDK UI messages"


def _name_of_type(message: dict[str, Json]) -> str | None:
    named = message.get("type")
    if not isinstance(named, str):
        return None
    if "role" not in message and named in _LANGCHAIN and not message.keys().isdisjoint({"content", "data", "kwargs"}):
        return "LangChain messages"
    return "OpenAI Responses items" if named in _RESPONSES else None
