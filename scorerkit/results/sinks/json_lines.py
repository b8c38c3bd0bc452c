"""JSONL: lines as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.results.partial import PartialFile

if TYPE_CHECKING:
    from scorerkit.results.sinks import Sink


def open_target(target: str) -> Sink:
    """As :func:`open_sink` says."""
    return PartialFile(target)
