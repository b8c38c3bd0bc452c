"""The shapes of a message that are read. A new shape is one module and one line in :data:`SHAPES`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scorerkit.messages.shapes import canonical, later, openai_chat

if TYPE_CHECKING:
    from scorerkit.messages.canonical import OpenCalls
    from scorerkit.model.json import Json, Path


class Shape(Protocol):
    """A module of this folder."""

    def recognises(self, message: dict[str, Json]) -> bool:
        """Whether the message has this shape; says nothing about whether it is sound."""
        ...

    def read(self, message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> dict[str, Json] | None:
        """The canonical message, or None where it only answered a call of an earlier one.

        Raises:
            RecordError: ``type-mismatch`` with the path of what does not fit.
        """
        ...


SHAPES: tuple[Shape, ...] = (canonical, later, openai_chat)
"""In the order in which they are asked: what is recognised by more goes first."""
