"""AI SDK UI messages, version 4 (``toolInvocations``, ``parts``) and version 5 (``tool-NAME`` parts).

One UI message tells several steps of the model; each becomes a message, as other shapes have it.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from scorerkit.messages.canonical import invocation_part, listed, outcome, parsed_result, reasoning_part, text_part
from scorerkit.messages.canonical import message as canonical_message
from scorerkit.messages.paths import kind, mismatch

if TYPE_CHECKING:
    from scorerkit.messages.canonical import Messages, OpenCalls
    from scorerkit.model.json import Json, Path

PIECES = False

_ROLES = {"system", "user", "assistant", "data"}
_STEP = "step-start"
_STATES = {"input-streaming": "partial-call", "input-available": "call"}


def recognises(message: dict[str, Json]) -> bool:
    if not isinstance(message.get("role"), str) or isinstance(message.get("content"), (dict, list)):
        return False
    return isinstance(message.get("parts"), list) or isinstance(message.get("toolInvocations"), list)


def read(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:  # noqa: ARG001
    role = message["role"]
    if role not in _ROLES:
        raise mismatch((*path, "role"), f"cannot be '{role}'", fix="use 'system', 'user' or 'assistant'")
    given = message.get("parts")
    parts = given if isinstance(given, list) and given else _flat(message)
    made = [_part(part, (*path, "parts", index)) for index, part in enumerate(parts)]
    steps = [list(step) for is_mark, step in groupby(made, lambda part: part["type"] == _STEP) if not is_mark]
    messages = [canonical_message(role, step, position, message) for step in steps or [[]]]
    for number, later in enumerate(messages[1:], 2):
        later["id"] = f"{later['id']}-{number}"
    return messages


def _flat(message: dict[str, Json]) -> list[Json]:
    """The parts of a message from before parts: its thoughts, its calls, and the text that came of them."""
    calls = [{"type": "tool-invocation", "toolInvocation": call} for call in listed(message.get("toolInvocations"))]
    thoughts = message.get("reasoning")
    parts: list[Json] = [{"type": "reasoning", "text": thoughts}] if isinstance(thoughts, str) and thoughts else []
    text = message.get("content")
    if isinstance(text, str) and text:
        return [*parts, *calls, *([{"type": _STEP}] if calls else []), {"type": "text", "text": text}]
    return [*parts, *calls]


def _part(part: Json, path: Path) -> dict[str, Json]:
    typed = part.get("type") if isinstance(part, dict) else None
    if not isinstance(typed, str):
        raise mismatch(path, "must be a part with a 'type'")
    if typed == "text":
        if not isinstance(part.get("text"), str):
            raise mismatch((*path, "text"), f"must be text, not {kind(part.get('text'))}")
        return text_part(part["text"])
    if typed == "reasoning":
        text = part.get("text", part.get("reasoning"))
        return reasoning_part(text if isinstance(text, str) else "")
    if typed == "tool-invocation":
        return invocation_part(_older(part.get("toolInvocation"), path))
    if typed == "dynamic-tool" or typed.startswith("tool-"):
        return invocation_part(_newer(part, typed, path))
    return dict(part)


def _older(call: Json, path: Path) -> dict[str, Json]:
    name = call.get("toolName") if isinstance(call, dict) else None
    if not isinstance(name, str) or not name:
        raise mismatch(path, "must name the tool that is called")
    return _invocation(name, call.get("args"), call.get("toolCallId")) | (
        outcome(call.get("result")) if call.get("state") == "result" else {"state": call.get("state", "call")}
    )


def _newer(part: dict[str, Json], typed: str, path: Path) -> dict[str, Json]:
    name = part.get("toolName") if typed == "dynamic-tool" else typed.removeprefix("tool-")
    if not isinstance(name, str) or not name:
        raise mismatch(path, "must name the tool that is called")
    made = _invocation(name, part.get("input", part.get("rawInput")), part.get("toolCallId"))
    state = part.get("state")
    if state == "output-error":
        return made | outcome(part.get("errorText"), failed=True)
    if state == "output-available":
        return made | outcome(parsed_result(part.get("output")))
    return made | {"state": _STATES.get(str(state), "call")}


def _invocation(name: str, args: Json, identity: Json) -> dict[str, Json]:
    made: dict[str, Json] = {"toolName": name, "args": {} if args is None else args}
    if isinstance(identity, str) and identity:
        made["toolCallId"] = identity
    return made
