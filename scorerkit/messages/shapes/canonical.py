"""The canonical message itself: it passes unchanged, older flat fields included."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorerkit.messages.canonical import Messages, OpenCalls
    from scorerkit.model.json import Json, Path

PIECES = False
_MARKS = frozenset({"parts", "format", "content", "toolInvocations", "reasoning", "text"})


def recognises(message: dict[str, Json]) -> bool:
    content = message.get("content")
    return isinstance(content, dict) and isinstance(message.get("role"), str) and not _MARKS.isdisjoint(content)


def read(message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:  # noqa: ARG001
    return [message]
