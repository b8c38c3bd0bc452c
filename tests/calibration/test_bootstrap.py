"""The bootstrap of a mean: the same every time, in any order, and what theory says where theory says something."""

import math
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorerkit.calibration.bootstrap import DRAWN, bootstrap_interval

VALUES = st.lists(st.floats(-1e6, 1e6).map(lambda value: round(value, 6)), min_size=2, max_size=40)


@pytest.mark.parametrize("values", [[], [0.5]])
def test_fewer_than_two_values_have_no_interval(values):
    assert bootstrap_interval(values) is None


def test_equal_values_have_an_interval_of_nothing():
    assert bootstrap_interval([-0.1] * 7) == (-0.1, -0.1)
    assert bootstrap_interval([0.1] * (DRAWN + 50)) == (0.1, 0.1)


def test_two_values_are_drawn_in_all_four_ways():
    assert bootstrap_interval([0.0, 1.0]) == (0.0, 1.0)


@settings(max_examples=30, deadline=None)
@given(VALUES, st.randoms(use_true_random=False))
def test_the_interval_does_not_depend_on_the_order(values, order):
    shuffled = list(values)
    order.shuffle(shuffled)
    assert bootstrap_interval(values, resamples=200) == bootstrap_interval(shuffled, resamples=200)


@settings(max_examples=30, deadline=None)
@given(VALUES)
def test_the_interval_stays_inside_the_values(values):
    low, high = bootstrap_interval(values, resamples=200)
    slack = 1e-9 * max(map(abs, values), default=0)
    assert min(values) - slack <= low <= high <= max(values) + slack


@settings(max_examples=30, deadline=None)
@given(VALUES, st.sampled_from([-8.0, 0.0, 4.0, 1024.0]))
def test_a_shift_of_all_values_shifts_the_interval(values, shift):
    plain = bootstrap_interval(values, resamples=200)
    shifted = bootstrap_interval([value + shift for value in values], resamples=200)
    assert shifted == pytest.approx(
        [end + shift for end in plain], rel=1e-6, abs=1e-2 * (max(values) - min(values)) + 1e-6
    )


def test_a_rare_change_among_many_is_drawn_as_it_is():
    # 3 of 5000: the count in a resample is binomial, about Poisson(3); its quantiles at 2.5 % and 97.5 % are 0 and 7
    low, high = bootstrap_interval([1.0] * 3 + [0.0] * 4997)
    assert (low, high) == pytest.approx((0, 7 / 5000))


@pytest.mark.parametrize("n", [DRAWN - 1, DRAWN + 1, 4 * DRAWN, 100_000])
def test_many_values_come_to_the_normal_interval(n):
    chance = random.Random(n)
    values = [chance.choice([-0.5, 0.0, 0.0, 0.25, 0.5]) for _ in range(n)]
    mean = math.fsum(values) / n
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values)) / n
    low, high = bootstrap_interval(values)
    # the quantile of 10,000 resamples has itself an error of 0.027 standard errors
    assert (low - mean) / error == pytest.approx(-1.96, abs=0.11)
    assert (high - mean) / error == pytest.approx(1.96, abs=0.11)


def test_a_hundred_thousand_pairs_take_seconds():
    chance = random.Random(0)
    began = time.perf_counter()
    bootstrap_interval([chance.random() - 0.5 for _ in range(100_000)])
    assert time.perf_counter() - began < 10
