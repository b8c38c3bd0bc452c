"""``extractNumber``: the author's own way to find a number in an answer that is prose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scorerkit.judge.misfit import Misfit
from scorerkit.judge.processors.patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json


class ExtractNumber:
    """``{field: number}`` from the first group of a pattern, or its whole match. All matches must agree."""

    def __init__(self, pattern: str, field: str) -> None:
        self._pattern = compiled(pattern)
        self._field = field

    def process_output(self, answer: Json) -> Json:
        if not isinstance(answer, str):
            return answer
        found = {_number(match[1] if match.re.groups else match[0]) for match in self._pattern.finditer(answer)}
        if len(found) != 1:
            told = "no number" if not found else f"{len(found)} different numbers"
            raise Misfit([f"the answer holds {told} where one was wanted"])
        return {self._field: found.pop()}


def extract_number(options: Mapping[str, Any]) -> ExtractNumber:
    """From ``pattern`` and ``field`` (``score``).

    Raises:
        ValueError: a pattern that the engine does not take.
    """
    return ExtractNumber(options["pattern"], options.get("field", "score"))


def _number(text: str | None) -> float:
    bare = (text or "").strip()
    try:
        value = float(bare) if bare.isascii() and "_" not in bare else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise Misfit([f"'{bare[:80]}' is not a number"])
    return int(value) if value.is_integer() and "." not in bare else value
