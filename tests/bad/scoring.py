"""Functions that the files beside this one name."""

from __future__ import annotations

from typing import Any


def polite(run: dict[str, Any]) -> float:
    return float("please" in run["output"])


def needs_more(run: dict[str, Any], words: int) -> float:
    return float(words in run["output"])
