"""The bootstrap of a mean: how far it could be elsewhere if other records had been drawn."""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from itertools import accumulate
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RESAMPLES = 10_000
LEVEL = 0.95
DRAWN = 512
"""So many values, those farthest from the mean, are drawn one by one; the rest is drawn as one sum."""

_REACH = 12
"""Standard deviations beyond which a binomial count is not looked for: less than 1e-30 lies there."""


def bootstrap_interval(
    values: Sequence[float], *, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[float, float] | None:
    """Percentile interval of a mean (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13).

    The same values give the same interval, in whatever order they come. Up to ``DRAWN`` values this is the plain
    bootstrap. Of more, a resample draws how many of its members come from the ``DRAWN`` most extreme values, which is
    binomial, draws those one by one, and takes the sum of all others as normal with the mean and variance that it has
    under resampling (the central limit theorem for the bootstrap: Bickel and Freedman, Annals of Statistics 9, 1981,
    theorem 2.1). What makes a resampled sum other than normal, few values far from the rest, is thus drawn as it is.

    Returns:
        (low, high); None for fewer than two values.
    """
    n = len(values)
    if n < 2:
        return None
    centre = math.fsum(values) / n
    ordered = sorted(values, key=lambda value: (-abs(value - centre), value))
    # Equal values have no spread to draw, and their mean is themselves, without what rounding adds.
    if ordered[0] == ordered[-1] and ordered[0] == min(ordered) == max(ordered):
        return ordered[0], ordered[0]
    drawn, rest = ordered[:DRAWN], ordered[DRAWN:]
    rng = random.Random(seed)  # noqa: S311 - nothing secret: the same numbers every time are the point
    means = sorted(_sums(rng, drawn, rest, resamples))
    tail = (1 - level) / 2
    return _quantile(means, tail) / n, _quantile(means, 1 - tail) / n


def _sums(rng: random.Random, drawn: list[float], rest: list[float], resamples: int) -> list[float]:
    n, k = len(drawn) + len(rest), len(drawn)
    if not rest:
        return [math.fsum(rng.choices(drawn, k=n)) for _ in range(resamples)]
    mean = math.fsum(rest) / len(rest)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in rest) / len(rest))
    lowest, cumulated = _binomial(n, k / n)
    normal = NormalDist()
    sums = []
    for _ in range(resamples):
        count = lowest + bisect_left(cumulated, rng.random() * cumulated[-1])
        others = n - count
        # never 0 nor 1, where a normal quantile has no value
        noise = normal.inv_cdf((rng.randrange(2**52) + 0.5) / 2**52) * deviation * math.sqrt(others)
        sums.append(math.fsum([*rng.choices(drawn, k=count), others * mean, noise]))
    return sums


def _binomial(n: int, p: float) -> tuple[int, list[float]]:
    """The least count worth looking at, and the cumulated probabilities from there on."""
    mean, reach = n * p, _REACH * math.sqrt(n * p * (1 - p)) + 1
    counts = range(max(0, math.floor(mean - reach)), min(n, math.ceil(mean + reach)) + 1)
    logs = (
        math.lgamma(n + 1)
        - math.lgamma(count + 1)
        - math.lgamma(n - count + 1)
        + count * math.log(p)
        + (n - count) * math.log1p(-p)
        for count in counts
    )
    return counts[0], list(accumulate(map(math.exp, logs)))


def _quantile(ordered: list[float], share: float) -> float:
    """Between order statistics in a straight line (Hyndman and Fan, The American Statistician 50, 1996, type 7)."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
