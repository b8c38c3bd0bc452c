"""Tests of pairs against worked examples that are published, and against the counting out of all signs."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorerkit.calibration import paired_tests
from scorerkit.calibration.paired_tests import sign_test, signed_rank


def ranked(differences):
    return signed_rank(sorted((abs(one), one > 0) for one in differences if one))


def test_the_approval_ratings_of_agresti():
    """Agresti, Categorical Data Analysis, table 11.1: 150 and 86 changed; the exact test, as R's exact2x2 prints it."""
    assert sign_test(150, 86) == pytest.approx(3.716e-05, rel=1e-4)


@pytest.mark.parametrize(
    ("up", "down", "p"), [(0, 5, 0.0625), (5, 0, 0.0625), (1, 1, 1.0), (3, 3, 1.0), (1, 8, 0.0390625)]
)
def test_few_signs(up, down, p):
    assert sign_test(up, down) == pytest.approx(p)


def test_no_signs_say_nothing():
    assert sign_test(0, 0) is None


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_sign_test_is_the_binomial_one(up, down):
    n = up + down
    if n:
        exact = min(Fraction(1), 2 * Fraction(sum(comb(n, k) for k in range(min(up, down) + 1)), 2**n))
        assert sign_test(up, down) == pytest.approx(float(exact), rel=1e-9)


def test_the_depression_scale_of_hollander_and_wolfe():
    """Nonparametric Statistical Methods, table 3.1; R's wilcox.test prints V = 40, p = 0.01953 one-sided."""
    before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    found = ranked([one - two for one, two in zip(before, after, strict=True)])
    assert (found.n, found.up, found.down, found.exact) == (9, 40, 5, True)
    assert found.p == pytest.approx(2 * 0.01953125)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
def test_few_ranks_are_counted_out(differences):
    sizes = sorted(abs(one) for one in differences if one)
    found = ranked(differences)
    assert found.n == len(sizes)
    if not sizes:
        assert found.p is None
        return
    ranks = [(sizes.index(size) + 1 + sizes.index(size) + sizes.count(size)) / 2 for size in sizes]
    least = min(found.up, found.down)
    sums = [
        sum(rank for rank, up in zip(ranks, signs, strict=True) if up) for signs in product((0, 1), repeat=len(ranks))
    ]
    assert found.up + found.down == sum(ranks)
    assert found.p == pytest.approx(min(1.0, 2 * sum(one <= least for one in sums) / len(sums)))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-30, 30).filter(bool), min_size=30, max_size=50))
def test_many_ranks_come_close_to_what_is_counted_out(differences):
    exact = ranked(differences)
    limit, paired_tests.EXACT = paired_tests.EXACT, 10
    try:
        normal = ranked(differences)
    finally:
        paired_tests.EXACT = limit
    assert (exact.exact, normal.exact) == (True, False)
    assert normal.p == pytest.approx(exact.p, abs=0.02)


@given(st.lists(st.integers(-9, 9), max_size=80))
def test_turning_all_signs_turns_the_sums_only(differences):
    found, turned = ranked(differences), ranked([-one for one in differences])
    assert (found.up, found.down, found.p) == (turned.down, turned.up, turned.p)


def test_the_ranks_are_those_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    differences = [((7 * index) % 23 - 9) / 4 for index in range(200)]
    theirs = stats.wilcoxon(differences, zero_method="wilcox", correction=True, method="approx")
    assert ranked(differences).p == pytest.approx(theirs.pvalue)
