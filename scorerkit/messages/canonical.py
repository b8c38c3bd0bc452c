"""Building canonical messages, and the calls in them that wait for an answer."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorerkit.model.json import Json

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

    def answer(self, key: str, result: Json) -> bool:
        """Give the call its result; False if none waits under this key."""
        waiting = self._waiting.get(key)
        if not waiting:
            return False
        invocation = waiting.popleft()
        invocation["state"] = "result"
        invocation["result"] = result
        return True
