"""OpenAI Responses items: one turn of the assistant is told in several neighbouring items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.messages.canonical import (
    answer_part,
    call_part,
    listed,
    named,
    outcome,
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

PIECES = True

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_CALLS = {"function_call": "arguments", "custom_tool_call": "input", "mcp_call": "arguments"}
"""Item that calls a named tool → its field with the arguments."""
_BUILT_IN = {
    "web_search_call": ("action", ()),
    "file_search_call": ("queries", ("results",)),
    "code_interpreter_call": ("code", ("outputs",)),
    "computer_call": ("action", ()),
    "local_shell_call": ("action", ()),
    "shell_call": ("action", ()),
    "image_generation_call": ("action", ()),
}
"""Item of a tool of the provider's own → its field with the arguments, and those with the result."""
_OUTPUT = "_call_output"
_TEXTS = {"input_text", "output_text", "text", "summary_text", "reasoning_text"}
_TYPES = {"message", "reasoning", "item_reference", *_CALLS, *_BUILT_IN}


def recognises(message: dict[str, Json]) -> bool:
    typed = message.get("type")
    if isinstance(typed, str) and "data" not in message:
        return typed in _TYPES or typed.endswith(_OUTPUT)
    content = message.get("content")
    parts = content if isinstance(content, list) and "role" in message else []
    return any(isinstance(part, dict) and part.get("type") in {"input_text", "output_text"} for part in parts)


def read(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:
    typed = message.get("type", "message")
    if typed == "item_reference":
        raise mismatch(path, "refers to an item that is not here", fix="give the item itself")
    if typed.endswith(_OUTPUT):
        part = _answer(message, calls)
        return [] if part is None else [canonical_message("tool", [part], position, message)]
    if typed == "message":
        role = message.get("role")
        if not isinstance(role, str) or role not in _ROLES:
            raise mismatch((*path, "role"), f"cannot be '{role}'", fix=f"use one of {', '.join(_ROLES)}")
        return [
            canonical_message(_ROLES[role], _content(message.get("content"), (*path, "content")), position, message)
        ]
    return [canonical_message("assistant", _said(typed, message, path, calls), position, message)]


def _said(typed: str, item: dict[str, Json], path: Path, calls: OpenCalls) -> list[dict[str, Json]]:
    """The parts of an item that is no message: a thought, or a call."""
    if typed == "reasoning":
        blocks = [block for key in ("content", "summary") for block in listed(item.get(key)) if isinstance(block, dict)]
        text = "\n".join(block["text"] for block in blocks if isinstance(block.get("text"), str))
        return [reasoning_part(text)] if text else []
    identity = named(item.get("call_id") or item.get("id"))
    if typed in _BUILT_IN:
        return [_built_in(typed, item, identity, calls)]
    name = item.get("name")
    if not isinstance(name, str) or not name:
        raise mismatch(path, "must name the tool that is called")
    part = call_part(calls, name, parsed_arguments(item.get(_CALLS[typed])), identity)
    if item.get("error") is not None:
        calls.answer(identity or f"name {name}", item["error"], failed=True)
    elif item.get("output") is not None:
        calls.answer(identity or f"name {name}", parsed_result(item["output"]))
    return [part]


def _built_in(typed: str, item: dict[str, Json], identity: str, calls: OpenCalls) -> dict[str, Json]:
    given, results = _BUILT_IN[typed]
    args = item.get(given)
    part = call_part(
        calls, typed.removesuffix("_call"), args if isinstance(args, dict) else {given: args} if args else {}, identity
    )
    found = next((item[key] for key in results if item.get(key) is not None), None)
    if found is not None or item.get("status") in {"failed", "incomplete"}:
        part["toolInvocation"].update(outcome(found, failed=item.get("status") in {"failed", "incomplete"}))
    return part


def _answer(item: dict[str, Json], calls: OpenCalls) -> dict[str, Json] | None:
    failed = item.get("status") == "incomplete"
    identity = named(item.get("call_id"))
    return answer_part(calls, "", identity, parsed_result(texts_joined(item.get("output"))), failed=failed)


def _content(content: Json, path: Path) -> list[dict[str, Json]]:
    if isinstance(content, str):
        return [text_part(content)]
    if not isinstance(content, list):
        raise mismatch(path, f"must be text or a list of parts, not {kind(content)}")
    return [_part(part, (*path, index)) for index, part in enumerate(content)]


def _part(part: Json, path: Path) -> dict[str, Json]:
    typed = part.get("type") if isinstance(part, dict) else None
    if not isinstance(typed, str):
        raise mismatch(path, "must be a part with a 'type'")
    key = "refusal" if typed == "refusal" else "text"
    if typed in _TEXTS or typed == "refusal":
        if not isinstance(part.get(key), str):
            raise mismatch((*path, key), f"must be text, not {kind(part.get(key))}")
        return text_part(part[key])
    return {**part, "type": "file", "originalType": typed}
