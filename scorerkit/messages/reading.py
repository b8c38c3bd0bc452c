"""A list of messages of any known shape → canonical messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.messages.canonical import OpenCalls, message, text_part
from scorerkit.messages.paths import kind, mismatch
from scorerkit.messages.shapes import SHAPES, canonical

if TYPE_CHECKING:
    from scorerkit.model.json import Json, Path


def read_messages(value: Json, path: Path, role: str) -> list[dict[str, Json]]:
    """The canonical messages of a list, of one message, or of plain text, which is a message of ``role``.

    A list that is canonical throughout is given back as it is.

    Raises:
        RecordError: ``type-mismatch`` naming the path.
    """
    if isinstance(value, str):
        return [message(role, [text_part(value)], 0, {})]
    if isinstance(value, dict):
        made = _read(value, path, 0, OpenCalls())
        return [] if made is None else [made]
    if not isinstance(value, list):
        raise mismatch(path, f"must be text or a list of messages, not {kind(value)}")
    if all(isinstance(item, dict) and canonical.recognises(item) for item in value):
        return value
    calls = OpenCalls()
    read = (_read(item, (*path, position), position, calls) for position, item in enumerate(value))
    return [made for made in read if made is not None]


def _read(item: Json, path: Path, position: int, calls: OpenCalls) -> dict[str, Json] | None:
    if not isinstance(item, dict):
        raise mismatch(path, f"must be a message, not {kind(item)}")
    for shape in SHAPES:
        if shape.recognises(item):
            return shape.read(item, path, position, calls)
    keys = ", ".join(f"'{key}'" for key in list(item)[:6])
    raise mismatch(
        path,
        f"is no message shape that is known (its keys: {keys or 'none'})",
        why="a message has 'role' and 'content'; other shapes are never guessed",
        fix="give text or a list of messages, or map the field that holds them",
    )
