import math
from decimal import ROUND_FLOOR, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit import functions as f

NUMBERS = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6)
ITEMS = [{"score": 2, "who": {"age": 7}}, {"score": 5, "who": {"age": 3}}, {"score": True, "who": {"age": 9}}]


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (f.min([3, 1, 2]), 1),
        (f.min(3, 1.5), 1.5),
        (f.max([True, False]), 1),
        (f.max(x for x in [1, 4, 2]), 4),
        (f.max(0.5, 0.7), 0.7),
        (f.min(ITEMS, attribute="score"), ITEMS[2]),
        (f.max(ITEMS, attribute="who.age"), ITEMS[2]),
        (f.min([[3, 1], [2, 9]], attribute=0), [2, 9]),
        (f.sum([1, 2, True]), 4),
        (f.sum([0.1] * 10), 1.0),
        (f.sum([]), 0),
        (f.sum([1, 2], start=10), 13),
        (f.sum(ITEMS, "score"), 8),
        (f.sum([10**30, 1]), 10**30 + 1),
        (f.abs(-3), 3),
        (f.abs(-0.5), 0.5),
        (f.abs(False), 0),
        (f.mean([1, 2]), 1.5),
        (f.mean([0.1] * 10), 0.1),
        (f.median([3, 1, 2]), 2),
        (f.median([4, 1, 2, 3]), 2.5),
        (f.clamp(1.5, 0, 1), 1),
        (f.clamp(-1, 0, 1), 0),
        (f.clamp(0.25, 0, 1), 0.25),
    ],
)
def test_numbers_are_computed(made, wanted):
    assert made == wanted
    assert type(made) is type(wanted)


@pytest.mark.parametrize(
    ("value", "digits", "wanted"),
    [
        (0.5, 0, 1),
        (1.5, 0, 2),
        (2.5, 0, 3),
        (-0.5, 0, 0),
        (-1.5, 0, -1),
        (0.49999999999999994, 0, 0),
        (1.005, 2, 1.01),
        (0.125, 2, 0.13),
        (-0.125, 2, -0.12),
        (True, 2, 1),
        (7, 2, 7),
        (15, -1, 20),
        (-15, -1, -10),
        (149.9, -2, 100),
        (10**40 + 5, -1, 10**40 + 10),
        (1e300, 2, 1e300),
        (2.0**60, 0, 2**60),
    ],
)
def test_halves_are_rounded_up(value, digits, wanted):
    assert f.round(value, digits) == wanted


@pytest.mark.parametrize(
    ("method", "value", "digits", "wanted"),
    [
        ("ceil", 1.2, 0, 2),
        ("floor", 1.8, 0, 1),
        ("ceil", 1.21, 1, 1.3),
        ("floor", 1.29, 1, 1.2),
        ("ceil", 11, -1, 20),
        ("floor", 19, -1, 10),
    ],
)
def test_rounding_has_the_methods_of_jinja(method, value, digits, wanted):
    assert f.round(value, digits, method) == wanted


@given(st.floats(-1e9, 1e9))
def test_rounding_is_the_floor_of_a_half_more(value):
    assert f.round(value) == int((Decimal(value) + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


@given(st.lists(NUMBERS, min_size=1))
def test_the_mean_and_the_median_lie_between_the_extremes(values):
    for middle in (f.mean(values), f.median(values)):
        assert f.min(values) - 1e-9 <= middle <= f.max(values) + 1e-9


@given(st.lists(st.floats(-1e6, 1e6)))
def test_a_sum_does_not_depend_on_the_order(values):
    assert f.sum(values) == f.sum(values[::-1]) == math.fsum(values)


@pytest.mark.parametrize("function", [f.min, f.max, f.mean, f.median])
def test_nothing_has_no_answer(function):
    with pytest.raises(ValueError, match=f"{function.__name__} of nothing: the list is empty"):
        function([])


@pytest.mark.parametrize("function", [f.min, f.max, f.mean, f.median, f.sum])
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("high", "the text 'high'"),
        (None, "null"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        ([1], "a list"),
        ({"a": 1}, "a mapping"),
        ("x" * 500, "the text 'xxx"),
    ],
)
def test_what_is_no_number_is_refused_by_name_value_and_index(function, value, shown):
    with pytest.raises(ValueError, match=rf"{function.__name__} needs numbers, not {shown}.* at index 1"):
        function([1, value])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (f.min, "min of nothing"),
        (lambda: f.max(3), "max needs a list, not 3"),
        (lambda: f.max("abc"), "max needs a list, not the text 'abc'"),
        (lambda: f.sum({"a": 1}), "sum needs a list, not a mapping"),
        (lambda: f.sum([1], start="x"), "sum needs numbers, not the text 'x'"),
        (lambda: f.sum(ITEMS, "pay"), "sum: the item at index 0 has no 'pay'"),
        (lambda: f.max(ITEMS, attribute="who.name"), "max: the item at index 0 has no 'who.name'"),
        (lambda: f.mean(None), "mean needs a list, not null"),
        (lambda: f.sum([1e308, 1e308]), "sum: the sum is too large"),
        (lambda: f.mean([10**400]), "mean: the sum is too large"),
        (lambda: f.sum([10**400, 0.5]), "sum: the sum is too large"),
        (lambda: f.abs("-3"), "abs needs numbers, not the text '-3'"),
        (lambda: f.abs(math.nan), "abs needs numbers, not nan"),
        (lambda: f.clamp(0.5, 1, 0), "clamp needs its lower bound first"),
        (lambda: f.clamp("a", 0, 1), "clamp needs numbers"),
        (lambda: f.round("1.5"), "round needs numbers"),
        (lambda: f.round(1.5, 99), "round keeps -15 to 15 digits, not 99"),
        (lambda: f.round(1.5, 0, "even"), "round knows the methods"),
        (lambda: f.mean([[10**9]]), "mean needs numbers, not a list at index 0"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(call, said):
    with pytest.raises(ValueError, match=said):
        call()
