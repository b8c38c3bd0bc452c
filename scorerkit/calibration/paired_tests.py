"""Tests of whether pairs changed in one direction more than chance would have it. All are two-sided."""

from __future__ import annotations

import math
from itertools import groupby
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

EXACT = 50
"""Up to so many pairs that differ, the distribution of ranks is counted out."""


class SignedRank(NamedTuple):
    """Sums of the ranks of pairs that went up and of those that went down; ``exact`` says how ``p`` was had."""

    n: int
    up: float
    down: float
    p: float | None
    exact: bool


def sign_test(up: int, down: int) -> float | None:
    """Probability of a split so uneven, if up and down were equally likely; None where nothing went either way.

    Of passes and failures this is McNemar's test (Psychometrika 12, 1947) in its exact form: the binomial test of the
    pairs that changed (Agresti, Categorical Data Analysis, 3rd edition, section 11.1.1).
    """
    n, fewer = up + down, min(up, down)
    if n == 0:
        return None
    log = math.lgamma(n + 1) - math.lgamma(fewer + 1) - math.lgamma(n - fewer + 1) - n * math.log(2)
    term = total = math.exp(log)
    for count in range(fewer, 0, -1):
        term *= count / (n - count + 1)
        total += term
        if term < total * 1e-17:
            break
    return min(1.0, 2 * total)


def signed_rank(sizes: Iterable[tuple[float, bool]]) -> SignedRank:
    """Wilcoxon's signed-rank test (Biometrics Bulletin 1, 1945), pairs without a difference left out.

    Equal sizes share the mean of their ranks. Up to ``EXACT`` pairs the probability is counted out over all signs, ties
    included; above, it is that of the normal distribution with the variance corrected for ties, and with a correction
    for continuity (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd edition, 2014, section 3.1).

    Args:
        sizes: (size of a difference, whether it went up), sizes above 0 and ascending.
    """
    ranks: list[int] = []  # doubled, so that shared ranks are whole numbers too; only as many as are counted out
    n = doubled_up = doubled_all = ties = 0
    for _, members in groupby(sizes, key=lambda pair: pair[0]):
        signs = [went_up for _, went_up in members]
        count = len(signs)
        rank = 2 * n + count + 1
        n += count
        doubled_up += rank * sum(signs)
        doubled_all += rank * count
        ties += count**3 - count
        if n <= EXACT:
            ranks += [rank] * count
    if n == 0:
        return SignedRank(0, 0.0, 0.0, None, exact=True)
    doubled_down = doubled_all - doubled_up
    exact = n <= EXACT
    p = _counted(ranks, min(doubled_up, doubled_down)) if exact else _normal(n, doubled_up / 2, ties)
    return SignedRank(n, doubled_up / 2, doubled_down / 2, p, exact)


def _counted(ranks: list[int], most: int) -> float:
    """Twice the share of all choices of signs whose sum of ranks is at most ``most``."""
    ways = [1] + [0] * most
    for rank in ranks:
        for total in range(most, rank - 1, -1):
            ways[total] += ways[total - rank]
    return min(1.0, 2 * sum(ways) / (1 << len(ranks)))


def _normal(n: int, up: float, ties: int) -> float:
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    distance = max(abs(up - n * (n + 1) / 4) - 0.5, 0.0)
    return min(1.0, 2 * NormalDist().cdf(-distance / math.sqrt(variance)))
