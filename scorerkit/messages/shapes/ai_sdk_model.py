"""AI SDK messages to a model: content parts ``tool-call`` and ``tool-result``, of version 4 and 5."""

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
)
from scorerkit.messages.canonical import message as canonical_message
from scorerkit.messages.paths import kind, mismatch

if TYPE_CHECKING:
    from scorerkit.messages.canonical import Messages, OpenCalls
    from scorerkit.model.json import Json, Path

PIECES = False

_OWN = {"tool-call", "tool-result", "tool-error", "redacted-reasoning"}
_ROLES = {"system", "user", "assistant", "tool"}


def recognises(message: dict[str, Json]) -> bool:
    content = message.get("content")
    if not isinstance(content, list) or "role" not in message:
        return False
    return any(isinstance(part, dict) and _is_own(part) for part in content)


def read(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:
    role = message["role"]
    if not isinstance(role, str) or role not in _ROLES:
        raise mismatch((*path, "role"), f"cannot be '{role}'", fix=f"use one of {', '.join(sorted(_ROLES))}")
    parts = [_part(part, (*path, "content", index), calls) for index, part in enumerate(message["content"])]
    kept = [part for part in parts if part is not None]
    return [canonical_message(role, kept, position, message)] if kept else []


def _is_own(part: dict[str, Json]) -> bool:
    return part.get("type") in _OWN or (part.get("type") == "reasoning" and isinstance(part.get("text"), str))


def _part(part: Json, path: Path, calls: OpenCalls) -> dict[str, Json] | None:
    """The part that a part becomes; None for a result that went into its call."""
    typed = part.get("type") if isinstance(part, dict) else None
    if not isinstance(typed, str):
        raise mismatch(path, "must be a part with a 'type'")
    if typed == "text":
        if not isinstance(part.get("text"), str):
            raise mismatch((*path, "text"), f"must be text, not {kind(part.get('text'))}")
        return text_part(part["text"])
    if typed in {"reasoning", "redacted-reasoning"}:
        return reasoning_part(part.get("text") or "")
    if typed == "tool-call":
        name = part.get("toolName")
        if not isinstance(name, str) or not name:
            raise mismatch((*path, "toolName"), "must name the tool that is called")
        return call_part(
            calls, name, parsed_arguments(part.get("args", part.get("input"))), named(part.get("toolCallId"))
        )
    if typed in {"tool-result", "tool-error"}:
        return _answer(part, calls)
    return {**part, "type": "file", "originalType": typed}


def _answer(part: dict[str, Json], calls: OpenCalls) -> dict[str, Json] | None:
    failed = part["type"] == "tool-error" or part.get("isError") is True
    result = part.get("error") if part["type"] == "tool-error" else part.get("result")
    output = part.get("output")
    if "result" not in part and isinstance(output, dict) and "value" in output:
        failed = failed or str(output.get("type", "")).startswith("error")
        result = output["value"]
    elif "result" not in part and "error" not in part:
        result = output
    name, identity = named(part.get("toolName")), named(part.get("toolCallId"))
    return answer_part(calls, name, identity, result if failed else parsed_result(result), failed=failed)
