"""OpenAI chat messages, and any plain ``{role, content}``.

Results (``role: tool``) go into the call they answer. Arguments are parsed where they are JSON and stay text where
they are not; a result is parsed where it is a JSON object or list.
"""

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

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_ANSWERS = frozenset({"tool", "function"})
PIECES = False
_REASONING = ("reasoning_content", "reasoning")


def recognises(message: dict[str, Json]) -> bool:
    calls = isinstance(message.get("tool_calls"), list) or isinstance(message.get("function_call"), dict)
    return isinstance(message.get("role"), str) and ("content" in message or calls)


def read(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:
    role = message["role"]
    if role in _ANSWERS:
        return _answer(message, path, position, calls)
    if role not in _ROLES:
        raise mismatch((*path, "role"), f"cannot be '{role}'", fix=f"use one of {', '.join([*_ROLES, *_ANSWERS])}")
    parts = [reasoning_part(text) for key in _REASONING if isinstance(text := message.get(key), str) and text][:1]
    parts += _content(message.get("content"), (*path, "content"))
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        parts.append(text_part(refusal))
    parts += _calls(message, path, calls)
    return [canonical_message(_ROLES[role], parts, position, message)]


def _content(content: Json, path: Path) -> list[dict[str, Json]]:
    if content is None:
        return []
    if isinstance(content, str):
        return [text_part(content)]
    if not isinstance(content, list):
        raise mismatch(path, f"must be text or a list of parts, not {kind(content)}")
    return [_part(part, (*path, index)) for index, part in enumerate(content)]


def _part(part: Json, path: Path) -> dict[str, Json]:
    """Text as a text part; whatever else a chat may carry (images, sound, files) as a file part that keeps it all."""
    if isinstance(part, str):
        return text_part(part)
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        raise mismatch(path, "must be a part with a 'type'")
    if part["type"] in {"text", "refusal"}:
        text = part.get(part["type"])
        if not isinstance(text, str):
            raise mismatch((*path, part["type"]), f"must be text, not {kind(text)}")
        return text_part(text)
    return {**part, "type": "file", "originalType": part["type"]}


def _calls(message: dict[str, Json], path: Path, calls: OpenCalls) -> list[dict[str, Json]]:
    given = message.get("tool_calls")
    if given is not None and not isinstance(given, list):
        raise mismatch((*path, "tool_calls"), f"must be a list, not {kind(given)}")
    parts = [_call(call, (*path, "tool_calls", index), calls) for index, call in enumerate(given or [])]
    older = message.get("function_call")
    if older is not None:
        parts.append(_call({"function": older}, (*path, "function_call"), calls))
    return parts


def _call(call: Json, path: Path, calls: OpenCalls) -> dict[str, Json]:
    function = (call.get("function") or call.get("custom")) if isinstance(call, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    if not isinstance(function, dict) or not isinstance(name, str) or not name:
        raise mismatch(path, "must name the function that is called")
    arguments = parsed_arguments(function.get("arguments", function.get("input")))
    return call_part(calls, name, arguments, named(call.get("id")))


def _answer(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:
    """File the result with its call; a result whose call is not here becomes a message of its own."""
    result = _result(message.get("content"), (*path, "content"))
    part = answer_part(calls, named(message.get("name")), named(message.get("tool_call_id")), result)
    return [] if part is None else [canonical_message("tool", [part], position, message)]


def _result(content: Json, path: Path) -> Json:
    if not isinstance(content, (str, list)):
        return content
    if isinstance(content, list) and not all(map(_is_part, content)):
        return content  # data, given as it is
    parts = _content(content, path)
    if any(part["type"] != "text" for part in parts):
        return content
    return parsed_result("\n".join(part["text"] for part in parts))


def _is_part(part: Json) -> bool:
    return isinstance(part, str) or (isinstance(part, dict) and isinstance(part.get("type"), str))
