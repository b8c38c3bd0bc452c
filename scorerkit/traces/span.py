"""One span of a trace: as it was exported, and as what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from scorerkit.model.json import Json

Kind: TypeAlias = Literal["agent", "llm", "tool", "other"]

BAD_RECORD = "bad-record"

WHOLE = ""
"""Id of a :class:`Raw` that is no span and says something of the whole trace."""


class Raw(NamedTuple):
    """A span as its format has it; what it means is asked later, and of few."""

    trace: str
    id: str
    parent: str | None
    value: dict[str, Json]


class Identity(NamedTuple):
    """Whose a span is."""

    session: str | None = None
    user: str | None = None


@dataclass(slots=True)
class Span:
    """What a span means.

    Attributes:
        kind: what it is to a scorer; a tool of an MCP server is a tool.
        step: its type as a step of a trajectory; what is no step there is passed through.
        name: what ran: the bare name of a tool, an agent or a model.
        start, end: milliseconds since 1970.
        heard, said: messages of a model or an agent, in whatever shape; None where there are none.
        instructions: what the model was told besides the messages.
        error: what a failure said; None if it did not fail.
        attributes: fields of the step: ``model``, ``usage``, ``finishReason``, ``mcpServer``, ``success``.
    """

    id: str
    kind: Kind = "other"
    step: str = "generic"
    name: str = ""
    start: float | None = None
    end: float | None = None
    input: Json = None
    output: Json = None
    heard: list[Json] | None = None
    said: list[Json] | None = None
    instructions: str = ""
    error: str | None = None
    call_id: str = ""
    entity: str | None = None
    attributes: dict[str, Json] | None = None
