"""Thresholds and gates that no score can miss, or reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.model.plan import Bounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.check.advice.material import Material
    from scorerkit.model.problem import Problem

LIMITS = (("threshold",), ("gate", "mean"))


def threshold_outside_range(material: Material) -> Iterator[Problem]:
    """Each number of a threshold, or of the gate's mean, that lies outside ``range``."""
    definition = material.definition
    scores = Bounds(definition.get("range", "min"), definition.get("range", "max"))
    for path in LIMITS:
        limit = definition.get(*path)
        inner = limit.items() if isinstance(limit, dict) else [(None, limit)]
        for key, number in inner:
            if number is not None and not scores.contains(number):
                where = path if key is None else (*path, key)
                message = f"'{path[-1]}' {number} is outside the range {_shown(scores)}"
                why = "every score lies inside 'range', so this bound decides nothing or fails everything"
                yield material.warning("threshold-outside-range", where, message, on="value", why=why)


def _shown(bounds: Bounds) -> str:
    if bounds.minimum is None:
        return f"up to {bounds.maximum}"
    return f"from {bounds.minimum} up" if bounds.maximum is None else f"{bounds.minimum} to {bounds.maximum}"
