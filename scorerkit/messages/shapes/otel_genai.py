"""OpenTelemetry GenAI messages: ``parts`` whose text stands in ``content``."""

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

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_OWN = {"tool_call", "tool_call_response"}


def recognises(message: dict[str, Json]) -> bool:
    parts = message.get("parts")
    return isinstance(parts, list) and any(_is_own(part) for part in parts)


def read(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:
    role = message.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        raise mismatch((*path, "role"), f"cannot be '{role}'", fix=f"use one of {', '.join(_ROLES)}")
    made = [_part(part, (*path, "parts", index), calls) for index, part in enumerate(message["parts"])]
    parts = [part for part in made if part is not None]
    if not parts:
        return []
    answers = role == "user" and all(part["type"] == "tool-invocation" for part in parts)
    return [canonical_message("tool" if answers else _ROLES[role], parts, position, message)]


def _is_own(part: Json) -> bool:
    return isinstance(part, dict) and (part.get("type") in _OWN or ("content" in part and "type" in part))


def _part(part: Json, path: Path, calls: OpenCalls) -> dict[str, Json] | None:
    """The part that a part becomes; None for a result that went into its call."""
    typed = part.get("type") if isinstance(part, dict) else None
    if not isinstance(typed, str):
        raise mismatch(path, "must be a part with a 'type'")
    if typed in {"text", "reasoning", "thinking"}:
        text = part.get("content")
        if not isinstance(text, str):
            raise mismatch((*path, "content"), f"must be text, not {kind(text)}")
        return text_part(text) if typed == "text" else reasoning_part(text)
    if typed == "tool_call":
        name = part.get("name")
        if not isinstance(name, str) or not name:
            raise mismatch((*path, "name"), "must name the tool that is called")
        return call_part(calls, name, parsed_arguments(part.get("arguments")), named(part.get("id")))
    if typed == "tool_call_response":
        result = part.get("response", part.get("result"))
        identity = named(part.get("id"))
        failed = part.get("is_error") is True
        result = texts_joined(result) if failed else parsed_result(texts_joined(result))
        return answer_part(calls, named(part.get("name")), identity, result, failed=failed)
    return {**part, "type": "file", "originalType": typed}
