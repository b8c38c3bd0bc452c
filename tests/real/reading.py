"""Functions that the scorer files beside this one name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def first_match(answer: str, patterns: Mapping[str, str], field: str, otherwise: str) -> dict[str, str]:
    """``{field: label}`` of the first pattern that matches anywhere in the text, or ``otherwise``."""
    found = (label for label, pattern in patterns.items() if re.search(pattern, answer.strip()))
    return {field: next(found, otherwise)}


def rating(answer: str) -> dict[str, int | None]:
    """A whole number that is the whole answer; None for everything else."""
    text = answer.strip()
    return {"rating": int(text) if text.isascii() and text.isdigit() else None}


def higher_rating(run: Any, results: Any, params: dict[str, Any]) -> float:
    """The rule of ``llmbar-rating.yaml``."""
    first, second = results.preprocess_step_result["rating"], results.analyze_step_result["rating"]
    decided = first is not None and second is not None and first != second
    if params["measure"] == "order":
        return float(decided)
    return float((first > second) == (run.ground_truth == 1)) if decided else 0.5
