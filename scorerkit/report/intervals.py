"""Intervals of means and rates."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVEL = 0.95
MANY = 10_000
_TINY = 1e-300


def mean_of(values: Sequence[float]) -> float:
    """The mean of at least one value, exactly summed; of values whose sum is no float, the sum of their shares."""
    try:
        return math.fsum(values) / len(values)
    except OverflowError:
        return math.fsum(value / len(values) for value in values)


def mean_interval(values: list[float], level: float = LEVEL) -> tuple[float, float] | None:
    """Interval of a mean by Student's t; None for fewer than two values, or where squares are no floats."""
    n = len(values)
    if n < 2:
        return None
    try:
        mean = mean_of(values)
        variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    except OverflowError:
        return None
    half = t_quantile((1 + level) / 2, n - 1) * math.sqrt(variance / n)
    return mean - half, mean + half


def wilson_interval(successes: int, n: int, level: float = LEVEL) -> tuple[float, float] | None:
    """Interval of a rate by Wilson's score method (1927); None for no trials."""
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1 + level) / 2)
    rate = successes / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def t_quantile(probability: float, degrees: int) -> float:
    """Quantile of Student's t distribution, for probabilities above one half, to about 1e-10.

    Bisection on the distribution function, which is a regularised incomplete beta function (DLMF 8.17). For many
    degrees of freedom the expansion around the normal quantile (Abramowitz and Stegun 26.7.5).
    """
    if degrees > MANY:
        z = NormalDist().inv_cdf(probability)
        return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
    low, high = 0.0, 1.0
    while _t_cdf(high, degrees) < probability and high < 1e12:
        low, high = high, high * 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_cdf(middle, degrees) < probability else (low, middle)
    return (low + high) / 2


def _t_cdf(t: float, degrees: int) -> float:
    return 1 - _beta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2


def _beta(x: float, a: float, b: float) -> float:
    """Regularised incomplete beta function by its continued fraction (DLMF 8.17.22), Lentz's method."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x > (a + 1) / (a + b + 2):
        return 1 - front * _fraction(1 - x, b, a) / b
    return front * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
