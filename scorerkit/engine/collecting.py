"""How often Python looks for cycles while records are scored."""

from __future__ import annotations

import contextlib
import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

AFTER = (50_000, 20, 20)
"""Thresholds of the collector; Python's own are (700, 10, 10)."""


@contextlib.contextmanager
def collecting_rarely() -> Iterator[None]:
    """A record leaves few cycles behind, and each walk over all that an SDK has loaded takes as long as many records.

    With the usual thresholds those walks are a fourth of a judged run without latency.
    """
    usual = gc.get_threshold()
    gc.set_threshold(*AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
