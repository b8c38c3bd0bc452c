"""Scoring a living application: after the answer, in the background, and never in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.live.background import Health, Scored
from scorerkit.live.decorator import scored

if TYPE_CHECKING:
    from scorerkit.live.processor import ScorerSpanProcessor

__all__ = ["Health", "Scored", "ScorerSpanProcessor", "scored"]


def __getattr__(name: str) -> Any:
    if name == "ScorerSpanProcessor":  # needs the OpenTelemetry SDK
        from scorerkit.live.processor import ScorerSpanProcessor

        return ScorerSpanProcessor
    message = f"module 'scorerkit.live' has no '{name}'"
    raise AttributeError(message)
