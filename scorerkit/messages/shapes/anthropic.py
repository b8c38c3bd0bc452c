"""Anthropic messages whose content blocks call tools, answer them or think."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.messages.canonical import (
    answer_part,
    call_part,
    named,
    parsed_arguments,
    parsed_result,
    reasoning_part,
    text_part,
    texts_joined,
)
from scorerkit.messages.canonical import message as canonical_message
from scorerkit.messages.paths import kind, mismatch

if TYPE_CHECKING:
    from scorerkit.messages.canonical import Messages, OpenCalls
    from scorerkit.model.json import Json, Path

PIECES = False

_CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}
_RESULT = "tool_result"
_THOUGHTS = {"thinking", "redacted_thinking"}
_ROLES = {"user", "assistant", "system"}


def recognises(message: dict[str, Json]) -> bool:
    content = message.get("content")
    return isinstance(content, list) and "role" in message and any(_is_block(block) for block in content)


def read(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:
    role = message["role"]
    if not isinstance(role, str) or role not in _ROLES:
        raise mismatch((*path, "role"), f"cannot be '{role}'", fix="use 'user' or 'assistant'")
    parts: list[dict[str, Json]] = []
    for index, block in enumerate(message["content"]):
        part = _part(block, (*path, "content", index), calls)
        if part is not None:
            parts.append(part)
    if not parts:
        return []
    answers = all(part["type"] == "tool-invocation" for part in parts) and role == "user"
    return [canonical_message("tool" if answers else role, parts, position, message)]


def _is_block(block: Json) -> bool:
    typed = block.get("type") if isinstance(block, dict) else None
    return isinstance(typed, str) and (typed in _CALLS or typed in _THOUGHTS or typed.endswith(_RESULT))


def _part(block: Json, path: Path, calls: OpenCalls) -> dict[str, Json] | None:
    """The part that a block becomes; None for a result that went into its call."""
    if isinstance(block, str):
        return text_part(block)
    typed = block.get("type") if isinstance(block, dict) else None
    if not isinstance(typed, str):
        raise mismatch(path, "must be a block with a 'type'")
    if typed == "text":
        if not isinstance(block.get("text"), str):
            raise mismatch((*path, "text"), f"must be text, not {kind(block.get('text'))}")
        return text_part(block["text"])
    if typed in _THOUGHTS:
        return reasoning_part(block["thinking"]) if isinstance(block.get("thinking"), str) else reasoning_part("")
    if typed in _CALLS:
        return _call(block, path, calls)
    if typed.endswith(_RESULT):
        return _result(block, calls)
    return {**block, "type": "file", "originalType": typed}


def _call(block: dict[str, Json], path: Path, calls: OpenCalls) -> dict[str, Json]:
    name = block.get("name")
    if not isinstance(name, str) or not name:
        raise mismatch((*path, "name"), "must name the tool that is called")
    return call_part(calls, name, parsed_arguments(block.get("input")), named(block.get("id")))


def _result(block: dict[str, Json], calls: OpenCalls) -> dict[str, Json] | None:
    content = texts_joined(block.get("content"))
    failed = block.get("is_error") is True or (
        isinstance(content, dict) and str(content.get("type", "")).endswith("_error")
    )
    result = content if failed else parsed_result(content)
    return answer_part(calls, "", named(block.get("tool_use_id")), result, failed=failed)
