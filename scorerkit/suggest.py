"""Words that were probably meant, and lists of those that are allowed."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

CLOSE_ENOUGH = 0.7
SHOWN = 10


def closest(word: str, allowed: Iterable[str]) -> str | None:
    """The one allowed word that ``word`` is probably meant to be."""
    by_lower = {candidate.lower(): candidate for candidate in allowed}
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=CLOSE_ENOUGH)
    return by_lower[found[0]] if found else None


def listed(words: Iterable[str], limit: int = SHOWN) -> str:
    """``'a', 'b', …``: at most ten, in the order given."""
    names = [f"'{word}'" for word in words]
    return ", ".join([*names[:limit], "…"] if len(names) > limit else names)


def suggestion(word: str, allowed: Iterable[str]) -> str:
    """The sentence that helps with an unknown word: the close one, or what is allowed."""
    choices = list(allowed)
    close = closest(word, choices)
    return f"did you mean '{close}'?" if close else f"use one of {listed(choices)}"
