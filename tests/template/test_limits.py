import pytest

from scorerkit.template import limits
from scorerkit.template.limits import BUDGET, Budget, TemplateLimit


@pytest.fixture
def budget():
    token = BUDGET.set(Budget())
    yield BUDGET.get()
    BUDGET.reset(token)


def test_turns_are_counted_and_end(budget):
    budget.spend(limits.MAX_TURNS // 2)
    with pytest.raises(TemplateLimit, match="1,000,000 loop turns"):
        budget.spend(limits.MAX_TURNS // 2 + limits.CHECK_EVERY)


def test_time_is_looked_at_now_and_then(budget, monkeypatch):
    times = iter([0.0, limits.MAX_SECONDS + 1])
    monkeypatch.setattr(limits.time, "thread_time", lambda: next(times))
    budget.spend(limits.CHECK_EVERY + 1)
    with pytest.raises(TemplateLimit, match="computing"):
        budget.spend(limits.CHECK_EVERY + 1)


def test_without_a_rendering_nothing_is_charged():
    limits.spend(10**9)


def test_a_loop_over_something_without_a_length_is_charged_turn_by_turn(budget):
    endless = iter(int, 1)
    with pytest.raises(TemplateLimit):
        for _ in limits.counted(endless):
            pass


def test_draining_something_endless_ends(budget):
    with pytest.raises(TemplateLimit):
        limits.drained(iter(int, 1))


@pytest.mark.parametrize(
    ("operator", "left", "right", "result"),
    [
        ("*", "ab", 3, "ababab"),
        ("*", 3, [1], [1, 1, 1]),
        ("*", 2.5, 2, 5.0),
        ("*", "ab", -1, ""),
        ("**", 2, 10, 1024),
        ("**", 2.0, 0.5, 2.0**0.5),
        ("**", 2, -1, 0.5),
        ("%", 7, 4, 3),
        ("+", "a", "b", "ab"),
        ("+", [1], [2], [1, 2]),
        ("+", 1, 2.5, 3.5),
    ],
)
def test_operators_do_what_python_does(operator, left, right, result):
    assert limits.BINARY[operator](left, right) == result


@pytest.mark.parametrize(
    ("operator", "left", "right"),
    [
        ("*", "x" * 1000, 10**6),
        ("*", 10**9, "x"),
        ("*", [0], 2**21),
        ("*", 10**12000, 10**12000),
        ("**", 9, 10**6),
        ("**", 10**1000, 1000),
        ("+", "x" * limits.MAX_OUTPUT, "y"),
    ],
    ids=["text", "times text", "list", "product", "power", "big power", "sum"],
)
def test_what_would_grow_too_large_is_refused(operator, left, right):
    with pytest.raises(TemplateLimit):
        limits.BINARY[operator](left, right)


def test_text_is_not_formatted():
    with pytest.raises(TypeError, match="formats text"):
        limits.BINARY["%"]("%0999999999d", 1)


@pytest.mark.parametrize("bounds", [(10**7,), (0, 10**30), (10**9, -(10**9), -1)])
def test_a_range_is_bounded(bounds):
    with pytest.raises(TemplateLimit, match="range"):
        limits.bounded_range(*bounds)
    assert list(limits.bounded_range(1, 7, 2)) == [1, 3, 5]


def test_output_is_bounded():
    assert limits.concat(["a", "b"]) == "ab"
    with pytest.raises(TemplateLimit, match="characters of output"):
        limits.concat("x" * 2**20 for _ in range(17))
