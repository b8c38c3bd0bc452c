"""What the attributes of an OpenTelemetry span say. A new convention is one module and one line in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scorerkit.traces.conventions import genai, openinference

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.traces.span import Span


class Convention(Protocol):
    """A module of this folder."""

    def recognises(self, attributes: dict[str, Json]) -> bool:
        """Whether attributes are named by this convention."""
        ...

    def fill(self, span: Span, attributes: dict[str, Json], events: list[dict[str, Json]]) -> None:
        """Put into ``span`` what the attributes say; ``events`` are ``{name, attributes}``."""
        ...


CONVENTIONS: tuple[Convention, ...] = (openinference, genai)
"""In the order in which they are asked; the last one takes every span."""


def understand(span: Span, attributes: dict[str, Json], events: list[dict[str, Json]]) -> Span:
    """The span, filled in by the convention of its attributes."""
    convention = next(each for each in CONVENTIONS if each.recognises(attributes))
    convention.fill(span, attributes, events)
    return span
