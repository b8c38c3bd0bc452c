"""``maxInputCharacters``: bounds what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.judge.processors.protocol import Refuse
from scorerkit.model.judge import Message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class MaxInputCharacters:
    """At most ``limit`` characters over all messages: refuses more, or cuts the end of the last message."""

    def __init__(self, limit: int, *, truncate: bool) -> None:
        self._limit = limit
        self._truncate = truncate

    def process_input(self, messages: Sequence[Message]) -> Sequence[Message]:
        excess = sum(len(message.content) for message in messages) - self._limit
        if excess <= 0:
            return messages
        last = messages[-1]
        if not self._truncate or excess >= len(last.content):
            msg = f"the messages have {self._limit + excess} characters; the limit is {self._limit}"
            raise Refuse(msg)
        return [*messages[:-1], Message(last.role, last.content[:-excess])]


def max_input_characters(options: Mapping[str, Any]) -> MaxInputCharacters:
    """From ``limit`` and ``onExcess`` (``error`` or ``truncate``)."""
    return MaxInputCharacters(int(options["limit"]), truncate=options.get("onExcess", "error") == "truncate")
