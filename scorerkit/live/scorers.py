from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from scorerkit.scorer import Scorer, ScorerBuilder, load_scorer

if TYPE_CHECKING:
    from collections.abc import Iterable


def scorer_of(given: Any) -> Scorer:
    """A scorer given as an object, a path or an id."""
    if isinstance(given, Scorer):
        return given
    if isinstance(given, ScorerBuilder):
        return given.build()
    return load_scorer(os.fspath(given))


def scorers_of(given: Any) -> list[Scorer]:
    """One, or several in a list."""
    several: Iterable[Any] = given if isinstance(given, (list, tuple)) else [given]
    return [scorer_of(one) for one in several]
