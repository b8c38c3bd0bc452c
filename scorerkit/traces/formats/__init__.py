"""The formats of trace files. A new format is one module and one line in :data:`FORMATS`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scorerkit.traces.formats import inspect_log, langfuse, mastra, openinference, otlp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.model.json import Json
    from scorerkit.traces.span import Identity, Raw, Span


class TraceFormat(Protocol):
    """A module of this folder."""

    STRICT: bool
    """Whether agents always say what they answered, so that one that does not was cut off."""

    def prefix(self, head: Json) -> str | None:
        """Where the spans of a document stand, as ijson names places; None if the document is none of this format.

        ``head`` is the document as far as it was read; ``""`` means that it is to be taken whole.
        """
        ...

    def raws(self, value: Json) -> Iterable[Raw]:
        """The spans of a value from that place, or of a whole document.

        Raises:
            RecordError: it holds none, or one without ids (``bad-record``).
        """
        ...

    def identity(self, raw: Raw) -> Identity:
        """Whose the span is; cheap, for it is asked of every span."""
        ...

    def span(self, raw: Raw) -> Span:
        """What the span means."""
        ...

    def more(self, raw: Raw) -> dict[str, Json]:
        """Further fields of the run that this root, or this note on the whole trace, brings along."""
        ...


FORMATS: dict[str, TraceFormat] = {
    "openinference": openinference,
    "otlp": otlp,
    "langfuse": langfuse,
    "mastra": mastra,
    "inspect": inspect_log,
}
"""By the name that ``--data-format`` uses, in the order in which they are asked."""
