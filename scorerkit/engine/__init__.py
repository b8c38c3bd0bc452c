"""Where records are scored: in this process, in several, or on a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from scorerkit.engine.local import Source


class Engine(Protocol):
    """Scores what a source gives it.

    Attributes:
        width: records, or shards, at a time.
    """

    width: int

    async def run(self, source: Source) -> None:
        """Score everything there is, or as much as there is before the source gives nothing more."""
        ...
