"""Messages inside the inputs and outputs of spans, whatever they are wrapped in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.traces.values import parsed

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_TOLD_BY_TYPE = {"human", "ai", "system", "tool", "function", "chat", "constructor", "AIMessageChunk"}
_PIECES = {"message", "reasoning", "function_call", "function_call_output"}
_ROLES = {"model": "assistant"}


def messages_of(value: Json) -> list[Json] | None:
    """The messages that a value holds: a list of them, one, or an object of a known kind round them; else None."""
    value = parsed(value)
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list):  # a batch of one
            return messages_of(value[0])
        return [_renamed(item) for item in value] if value and all(map(_is_message, value)) else None
    if not isinstance(value, dict):
        return None
    if _is_message(value):
        return [_renamed(value)]
    if isinstance(value.get("messages"), list):
        return messages_of(value["messages"])
    if value.get("object") == "response":
        return messages_of(value.get("output"))
    for key in ("choices", "generations"):
        if isinstance(value.get(key), list):
            return _chosen(value[key])
    return None


def text_of_value(value: Json) -> str | None:
    """The text that a value is, or has under ``text``; None where it is something else."""
    if isinstance(value, dict):
        value = value.get("text")
    return value if isinstance(value, str) else None


def _is_message(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("role"), str):
        return not value.keys().isdisjoint({"content", "parts", "tool_calls", "toolInvocations"})
    typed = value.get("type")
    if not isinstance(typed, str):
        return False
    wrapped = not value.keys().isdisjoint({"content", "data", "kwargs"})
    return (typed in _TOLD_BY_TYPE and wrapped) or typed in _PIECES


def _renamed(message: dict[str, Json]) -> dict[str, Json]:
    role = message.get("role")
    message = {**message, "role": _ROLES[role]} if role in _ROLES else message
    more = message.get("additional_kwargs")  # LangChain's calls, in a message that has a role
    if role and isinstance(more, dict) and isinstance(more.get("tool_calls"), list) and "tool_calls" not in message:
        return {**message, "tool_calls": more["tool_calls"]}
    content = message.get("content")
    if role == "assistant" and isinstance(content, list) and content and all(map(_is_call, content)):
        return {**message, "content": None, "tool_calls": content}
    return message


def _is_call(part: Json) -> bool:
    return isinstance(part, dict) and part.get("type") == "function" and isinstance(part.get("function"), dict)


def _chosen(value: list[Json]) -> list[Json] | None:
    """The message of the first of several answers."""
    first = value[0] if value else None
    if isinstance(first, list):
        first = first[0] if first else None
    message = first.get("message") if isinstance(first, dict) else None
    return messages_of(message)
