"""``mapLabels``: an answer in words → the value that the author gave to the word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from scorerkit.judge.misfit import Misfit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json

_SPACED = 0x2E80
"""Below this code point scripts set their words apart, so a label must not touch another letter."""


class MapLabels:
    """``{field: value}`` of the one label that occurs. The longest label wins where two start at the same place."""

    def __init__(self, labels: Mapping[str, Json], field: str) -> None:
        self._labels = dict(labels)
        self._field = field
        longest_first = sorted(self._labels, key=lambda label: (-len(label), label))
        self._any = re.compile("|".join(map(re.escape, longest_first)))

    def process_output(self, answer: Json) -> Json:
        if not isinstance(answer, str):
            return answer
        found = {match[0] for match in self._any.finditer(answer) if _stands_alone(answer, *match.span())}
        if len(found) != 1:
            told = " and ".join(f"'{label}'" for label in sorted(found)) or "none"
            allowed = ", ".join(f"'{label}'" for label in self._labels)
            raise Misfit([f"exactly one label must occur in the answer, and {told} did; allowed: {allowed}"])
        return {self._field: self._labels[found.pop()]}


def map_labels(options: Mapping[str, Any]) -> MapLabels:
    """From ``labels`` (text → value) and ``field`` (``score``)."""
    return MapLabels(options["labels"], options.get("field", "score"))


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = start > 0 and _same_word(text[start - 1], text[start])
    after = end < len(text) and _same_word(text[end - 1], text[end])
    return not before and not after


def _same_word(left: str, right: str) -> bool:
    return all((c.isalnum() or c == "_") and ord(c) < _SPACED for c in (left, right))
