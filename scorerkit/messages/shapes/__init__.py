"""The shapes of a message that are read. A new shape is one module and one line in :data:`SHAPES`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scorerkit.messages.shapes import (
    ai_sdk_model,
    ai_sdk_ui,
    anthropic,
    canonical,
    langchain,
    openai_chat,
    openai_responses,
    otel_genai,
)

if TYPE_CHECKING:
    from scorerkit.messages.canonical import Messages, OpenCalls
    from scorerkit.model.json import Json, Path


class Shape(Protocol):
    """A module of this folder."""

    PIECES: bool
    """Whether one turn of the assistant is told in several neighbouring messages, to be joined."""

    def recognises(self, message: dict[str, Json]) -> bool:
        """Whether the message has this shape; says nothing about whether it is sound."""
        ...

    def read(self, message: dict[str, Json], path: Path, position: int, calls: OpenCalls) -> Messages:
        """The canonical messages that it tells; none where it only answered a call of an earlier one.

        Raises:
            RecordError: ``type-mismatch`` with the path of what does not fit.
        """
        ...


SHAPES: tuple[Shape, ...] = (
    canonical,
    langchain,
    anthropic,
    openai_responses,
    otel_genai,
    ai_sdk_ui,
    ai_sdk_model,
    openai_chat,
)
"""In the order in which they are asked: what is recognised by more goes first."""
