"""How far two texts differ, by characters and by words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scorerkit.functions.arguments import as_text

if TYPE_CHECKING:
    from scorerkit.model.json import Json


def textual_difference(first: str, second: str) -> dict[str, Json]:
    """How far two texts differ: ``{ratio, confidence, changes, lengthDiff}``, every character counting.

    ``ratio`` is 2·LCS / (both lengths), LCS the longest common subsequence of characters (Hirschberg 1975; by
    ``rapidfuzz``): 1 for equal texts. ``lengthDiff`` is the difference of the lengths over the larger one,
    ``confidence`` 1 less that. ``changes`` counts words: those of the text that has more, less those that both have;
    1 where nothing but whitespace differs. A character outside the basic plane counts as two.

    Raises:
        ValueError: one of the two is not text.
    """
    one, two = _utf16(as_text("textual_difference", first)), _utf16(as_text("textual_difference", second))
    longest = max(len(one), len(two))
    length_diff = abs(len(one) - len(two)) / longest if longest else 0
    return {
        "ratio": _ratio(one, two),
        "confidence": 1 - length_diff,
        "changes": 0 if one == two else _changes(first, second),
        "lengthDiff": length_diff,
    }


def _ratio(one: str, two: str) -> float:
    if one == two:
        return 1
    from rapidfuzz.distance import LCSseq

    return 2 * LCSseq.similarity(one, two) / (len(one) + len(two))


def _changes(first: str, second: str) -> int:
    one, two = first.split(), second.split()
    if one == two:
        return 1
    return max(len(one), len(two)) - (Counter(one) & Counter(two)).total()


def _utf16(text: str) -> str:
    """One character for each UTF-16 unit, which is what JavaScript counts."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join(map(chr, memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")))
