"""LangChain messages: plain (``type`` beside ``content``), wrapped in ``data``, and serialised (``lc: 1``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.messages.canonical import (
    answer_part,
    call_part,
    listed,
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

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "tool"}
_CLASSES = {f"{name}{suffix}": kind for name, kind in (
    ("HumanMessage", "human"), ("AIMessage", "ai"), ("SystemMessage", "system"),
    ("ToolMessage", "tool"), ("FunctionMessage", "function"), ("ChatMessage", "chat"),
) for suffix in ("", "Chunk")}  # fmt: skip
_CHAT_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "system": "system"}


def recognises(message: dict[str, Json]) -> bool:
    return _opened(message) is not None


def read(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:
    opened = _opened(message)
    assert opened is not None
    typed, fields = opened
    if typed in {"tool", "function"}:
        part = _answer(fields, calls)
        return [] if part is None else [canonical_message("tool", [part], position, fields)]
    role = _CHAT_ROLES.get(str(fields.get("role"))) if typed == "chat" else _ROLES.get(typed)
    if role is None:
        raise mismatch(
            path, f"is a LangChain message of the kind '{fields.get('role', typed)}', which has no role here"
        )
    made = _calls(fields, path, calls)
    known = {part["toolInvocation"].get("toolCallId") for part in made}
    parts = [*_content(fields, (*path, "content"), known, calls), *made]
    return [canonical_message(role, parts, position, fields)]


def _opened(message: dict[str, Json]) -> tuple[str, dict[str, Json]] | None:
    """The kind of a message and its fields, whatever they are wrapped in; None if it is none."""
    if message.get("type") == "constructor" and isinstance(message.get("kwargs"), dict):
        named_by = message.get("id")
        last = named_by[-1] if isinstance(named_by, list) and named_by else None
        typed = _CLASSES.get(last) if isinstance(last, str) else None
        return (typed, message["kwargs"]) if typed else None
    typed = message.get("type")
    typed = _CLASSES.get(typed, typed) if isinstance(typed, str) else None
    if typed not in _ROLES and typed != "chat":
        return None
    if isinstance(message.get("data"), dict):
        return typed, message["data"]
    return (typed, message) if "content" in message and ("role" not in message or typed == "chat") else None


def _content(fields: dict[str, Json], path: Path, known: set[Json], calls: OpenCalls) -> list[dict[str, Json]]:
    content = fields.get("content")
    more = fields.get("additional_kwargs")
    thought = more.get("reasoning_content") if isinstance(more, dict) else None
    parts = [reasoning_part(thought)] if isinstance(thought, str) and thought else []
    if isinstance(content, str):
        return [*parts, text_part(content)] if content else parts
    if content is not None and not isinstance(content, list):
        raise mismatch(path, f"must be text or a list of blocks, not {kind(content)}")
    for index, block in enumerate(content or []):
        part = _block(block, (*path, index), known, calls)
        if part is not None:
            parts.append(part)
    return parts


def _block(block: Json, path: Path, known: set[Json], calls: OpenCalls) -> dict[str, Json] | None:
    """The part that a block becomes; None for a call that the message lists a second time."""
    if isinstance(block, str):
        return text_part(block)
    typed = block.get("type") if isinstance(block, dict) else None
    if not isinstance(typed, str):
        raise mismatch(path, "must be a block with a 'type'")
    text = next((block[key] for key in ("text", "thinking", "reasoning") if isinstance(block.get(key), str)), "")
    if typed in {"text", "output_text"}:
        return text_part(text)
    if typed in {"thinking", "reasoning"}:
        return reasoning_part(text)
    if typed in {"tool_use", "tool_call", "function_call"}:
        identity = named(block.get("id") or block.get("call_id"))
        if identity in known or not isinstance(block.get("name"), str):
            return None
        return call_part(calls, block["name"], parsed_arguments(block.get("input", block.get("args"))), identity)
    return {**block, "type": "file", "originalType": typed}


def _calls(fields: dict[str, Json], path: Path, calls: OpenCalls) -> list[dict[str, Json]]:
    given = listed(fields.get("tool_calls")) + listed(fields.get("invalid_tool_calls"))
    more = fields.get("additional_kwargs")
    if not given and isinstance(more, dict):
        given = listed(more.get("tool_calls"))
    parts = []
    for index, call in enumerate(given):
        function = call.get("function", call) if isinstance(call, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(function, dict) or not isinstance(name, str) or not name:
            raise mismatch((*path, "tool_calls", index), "must name the tool that is called")
        args = parsed_arguments(function.get("args", function.get("arguments")))
        parts.append(call_part(calls, name, args, named(call.get("id"))))
    return parts


def _answer(fields: dict[str, Json], calls: OpenCalls) -> dict[str, Json] | None:
    failed = fields.get("status") == "error"
    content = texts_joined(fields.get("content"))
    result = content if failed else parsed_result(content)
    return answer_part(calls, named(fields.get("name")), named(fields.get("tool_call_id")), result, failed=failed)
