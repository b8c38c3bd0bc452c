import math
from itertools import pairwise

import pytest

from scorerkit.report.intervals import mean_interval, mean_of, t_quantile, wilson_interval


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [
        (1, 12.706204736432095),
        (2, 4.302652729911275),
        (3, 3.182446305284263),
        (10, 2.228138851964939),
        (30, 2.042272456301238),
        (1000, 1.9623390808264078),
        (10**9, 1.9599639845400545),
    ],
)
def test_quantiles_of_t_are_those_of_the_tables(degrees, quantile):
    assert t_quantile(0.975, degrees) == pytest.approx(quantile, rel=1e-8)


def test_many_degrees_of_freedom_go_on_where_few_end():
    quantiles = [t_quantile(0.975, degrees) for degrees in (9_999, 10_000, 10_001, 10_002)]
    steps = [one - two for one, two in pairwise(quantiles)]
    assert steps == pytest.approx([2.37e-8] * 3, rel=0.05)


def test_a_mean_has_an_interval_from_two_values_on():
    assert mean_interval([]) is None
    assert mean_interval([1.0]) is None
    low, high = mean_interval([0.0, 1.0])
    assert (low, high) == pytest.approx((0.5 - 12.706204736432095 * 0.5, 0.5 + 12.706204736432095 * 0.5))


def test_equal_values_have_an_interval_of_nothing():
    assert mean_interval([0.1] * 10) == pytest.approx((0.1, 0.1))


def test_the_interval_of_a_mean_is_students():
    low, high = mean_interval([1, 2, 3, 4, 5])
    half = 2.7764451051977987 * math.sqrt(2.5 / 5)
    assert (low, high) == pytest.approx((3 - half, 3 + half))


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (5, 10, 0.23659309051256394, 0.763406909487436),
        (0, 10, 0.0, 0.27753279986288926),
        (10, 10, 0.7224672001371107, 1.0),
        (1, 1, 0.20654931437723745, 1.0),
        (500, 1000, 0.46906960, 0.53093040),
    ],
)
def test_the_interval_of_a_rate_is_wilsons(successes, n, low, high):
    assert wilson_interval(successes, n) == pytest.approx((low, high), abs=1e-7)


def test_no_trials_have_no_interval():
    assert wilson_interval(0, 0) is None


@pytest.mark.parametrize("values", [[1e160, 2e160], [1e200, -1e200], [1e308, 1e308, -1e308]])
def test_values_whose_squares_are_no_floats_have_no_interval(values):
    assert mean_interval(values) is None


def test_a_mean_is_there_where_the_sum_is_no_float():
    assert mean_of([1e308, 1e308]) == 1e308
    assert mean_of([1e308, 1e308, -1e308]) == pytest.approx(1e308 / 3)
