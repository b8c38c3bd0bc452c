"""A list of messages of any known shape → canonical messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.messages.canonical import OpenCalls, message, text_part
from scorerkit.messages.paths import kind, mismatch
from scorerkit.messages.shapes import SHAPES, canonical

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.messages.canonical import Messages
    from scorerkit.messages.shapes import Shape
    from scorerkit.model.json import Json, Path


def read_messages(value: Json, path: Path, role: str) -> Messages:
    """The canonical messages of a list, of one message, or of plain text, which is a message of ``role``.

    A list that is canonical throughout is given back as it is.

    Raises:
        RecordError: ``type-mismatch`` naming the path.
    """
    if isinstance(value, str):
        return [message(role, [text_part(value)], 0, {})]
    if isinstance(value, dict):
        return _read_all([value], lambda _: path)
    if not isinstance(value, list):
        raise mismatch(path, f"must be text or a list of messages, not {kind(value)}")
    if all(isinstance(item, dict) and canonical.recognises(item) for item in value):
        return value
    return _read_all(value, lambda position: (*path, position))


def _read_all(items: list[Json], place: Callable[[int], Path]) -> Messages:
    calls = OpenCalls()
    made: Messages = []
    open_turn = False
    for position, item in enumerate(items):
        shape = _shape_of(item, place(position))
        told = shape.read(item, place(position), position, calls)
        if open_turn and shape.PIECES and told and told[0]["role"] == "assistant":
            made[-1]["content"]["parts"] += told.pop(0)["content"]["parts"]
        else:
            open_turn = shape.PIECES and bool(told) and told[-1]["role"] == "assistant"
        made += told
    return made


def _shape_of(item: Json, path: Path) -> Shape:
    if not isinstance(item, dict):
        raise mismatch(path, f"must be a message, not {kind(item)}")
    for shape in SHAPES:
        if shape.recognises(item):
            return shape
    keys = ", ".join(f"'{key}'" for key in list(item)[:6])
    raise mismatch(
        path,
        f"is no message shape that is known (its keys: {keys or 'none'})",
        why="a message has 'role' and 'content'; other shapes are never guessed",
        fix="give text or a list of messages, or map the field that holds them",
    )
