"""The function of ``exact-function.yaml``."""

from __future__ import annotations

from typing import Any


def match(run: Any) -> bool:
    """Whether the output is the expected one."""
    return bool(run.output == run.ground_truth)
