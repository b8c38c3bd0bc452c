"""Building canonical messages, and the calls in them that wait for an answer."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

import orjson

if TYPE_CHECKING:
    from scorerkit.model.json import Json

Messages: TypeAlias = "list[dict[str, Json]]"
"""Canonical messages."""

KEPT = ("createdAt", "threadId", "resourceId")
"""Fields of a foreign message that a canonical one has too."""


def text_part(text: str) -> dict[str, Json]:
    return {"type": "text", "text": text}


def reasoning_part(text: str) -> dict[str, Json]:
    return {"type": "reasoning", "reasoning": text, "details": [text_part(text)]}


def message(role: str, parts: list[dict[str, Json]], position: int, source: dict[str, Json]) -> dict[str, Json]:
    """A canonical message that keeps the source's id, or is named after its position."""
    own = source.get("id")
    made: dict[str, Json] = {"id": own if isinstance(own, str) and own else f"msg-{position}", "role": role}
    for key in KEPT:
        if key in source:
            made[key] = source[key]
    made["content"] = {"format": 2, "parts": parts}
    return made


class OpenCalls:
    """The tool calls of one message list that have no result yet; a shape files calls and answers them later.

    Ids may come again in a long conversation: the oldest open call with an id is answered first.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[dict[str, Json]]] = {}

    def file(self, key: str, invocation: dict[str, Json]) -> None:
        """``key`` is whatever the answer will name: an id, or the tool."""
        self._waiting.setdefault(key, deque()).append(invocation)

    def answer(self, key: str, result: Json, *, failed: bool = False) -> bool:
        """Give the call its result, or what its failure said; False if none waits under this key."""
        waiting = self._waiting.get(key)
        if not waiting:
            return False
        waiting.popleft().update(outcome(result, failed=failed))
        return True


def outcome(result: Json, *, failed: bool = False) -> dict[str, Json]:
    """What a tool invocation holds once it is answered; the words of a failure are kept as text."""
    if not failed:
        return {"state": "result", "result": result}
    words = result if isinstance(result, str) else "" if result is None else orjson.dumps(result).decode()
    return {"state": "output-error", "errorText": words}


def call_part(calls: OpenCalls, name: str, args: Json, identity: str) -> dict[str, Json]:
    """A call as a part, filed under its id, or under its tool's name where it has none."""
    invocation: dict[str, Json] = {"state": "call", "toolName": name, "args": args}
    if identity:
        invocation["toolCallId"] = identity
    calls.file(identity or f"name {name}", invocation)
    return invocation_part(invocation)


def invocation_part(invocation: dict[str, Json]) -> dict[str, Json]:
    return {"type": "tool-invocation", "toolInvocation": invocation}


def answer_part(
    calls: OpenCalls, name: str, identity: str, result: Json, *, failed: bool = False
) -> dict[str, Json] | None:
    """File a result with its call; where that call is not in this list, the result as a part of its own."""
    if calls.answer(identity or f"name {name}", result, failed=failed):
        return None
    invocation: dict[str, Json] = {"toolName": name, **outcome(result, failed=failed)}
    if identity:
        invocation["toolCallId"] = identity
    return invocation_part(invocation)


def parsed_arguments(given: Json) -> Json:
    """Arguments as a value where they are JSON text, ``{}`` where there are none, else as the model wrote them."""
    if not isinstance(given, str):
        return {} if given is None else given
    try:
        return orjson.loads(given)
    except orjson.JSONDecodeError:
        return given  # what the model wrote is evidence, broken or not


def parsed_result(given: Json) -> Json:
    """A result as a value where it is the text of a JSON object or list, else as it is."""
    if not isinstance(given, str) or not given.lstrip().startswith(("{", "[")):
        return given
    try:
        return orjson.loads(given)
    except orjson.JSONDecodeError:
        return given


def texts_joined(content: Json) -> Json:
    """A list of text blocks as one text; a list that holds anything else, and whatever is no list, as it is."""
    if not isinstance(content, list):
        return content
    texts = [block.get("text") if isinstance(block, dict) else block for block in content]
    found = [text for text in texts if isinstance(text, str)]
    return "\n".join(found) if len(found) == len(texts) else content


def listed(value: Json) -> list[Json]:
    """The value if it is a list; of anything else nothing."""
    return value if isinstance(value, list) else []


def named(value: Json) -> str:
    """An id or a name as a key: text is itself, an absent one empty, what some frameworks put there is spelled out."""
    if isinstance(value, str):
        return value
    return "" if value is None else orjson.dumps(value).decode()
