"""The function of ``heavy-function.yaml``."""

from __future__ import annotations

from typing import Any

ROUNDS = 10_000
"""About half a millisecond."""


def work(run: Any) -> float:
    """A number that takes a while."""
    total = len(run.output)
    for number in range(ROUNDS):
        total += number * number % 7
    return total % 10 / 10
