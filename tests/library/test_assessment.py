import pytest

from scorerkit import functions as f
from scorerkit.errors import NotScorable


def steps(*names):
    return {"steps": [{"name": name, "stepType": "tool_call"} for name in names]}


@pytest.mark.parametrize(
    ("taken", "expected", "score"),
    [
        (steps("a", "b"), {"steps": [{"name": "a"}, {"name": "b"}]}, 1),
        (steps("a"), {"steps": [{"name": "a"}, {"name": "b"}]}, 0.5),
        (steps("a", "a"), {"steps": [{"name": "a"}], "maxSteps": 1}, 0.74),
        (steps("a", "x"), {"steps": [{"name": "a"}], "blacklistedTools": ["x"]}, 0),
        (steps("a"), {"noRedundantCalls": False}, 1),
        (steps(), {"maxSteps": 0}, 1),
        (steps("a"), {"blacklistedTools": [], "maxRetriesPerTool": 1}, 1),
    ],
)
def test_parts_are_weighed(taken, expected, score):
    assert f.trajectory_assessment(taken, expected)["score"] == score


def test_weights_can_be_given_and_those_below_0_count_nothing():
    expected = {"steps": [{"name": "b"}], "maxSteps": 1}
    found = f.trajectory_assessment(steps("a"), expected, {"accuracy": -1, "efficiency": 2})
    assert found["score"] == 1
    with pytest.raises(ValueError, match="leave nothing to count: accuracy 0, efficiency -1"):
        f.trajectory_assessment(steps("a"), expected, {"accuracy": 0, "efficiency": -1})


def test_retries_count_where_there_were_some():
    tried = {
        "steps": [{"name": "a", "stepType": "tool_call", "success": ok} for ok in (False, False, False, False, True)]
    }
    found = f.trajectory_assessment(tried, {"maxRetriesPerTool": 1})
    assert found["score"] == found["toolFailures"]["score"] == 0.4


def test_a_forbidden_step_inside_a_step_makes_it_0():
    taken = {"steps": [{"name": "a", "children": [{"name": "x"}]}]}
    expected = {"steps": [{"name": "a", "children": {"blacklistedTools": ["x"]}}]}
    assert f.trajectory_assessment(taken, expected)["score"] == 0


def test_what_happens_inside_a_step_counts_three_tenths():
    taken = {"steps": [{"name": "a", "children": [{"name": "b"}]}]}
    expected = {"steps": [{"name": "a", "children": {"steps": [{"name": "b"}, {"name": "c"}]}}]}
    found = f.trajectory_assessment(taken, expected)
    assert (found["score"], found["nested"][0]["score"]) == (0.85, 0.5)


def test_expectations_may_not_be_nested_without_end():
    expected, taken = {"steps": [{"name": "a"}]}, {"name": "a"}
    for _ in range(60):
        expected = {"steps": [{"name": "a", "children": expected}]}
        taken = {"name": "a", "children": [taken]}
    with pytest.raises(ValueError, match="nested deeper than 32"):
        f.trajectory_assessment({"steps": [taken]}, expected)


@pytest.mark.parametrize("expected", [{}, {"ordering": "strict"}, {"steps": None}])
def test_without_an_expectation_there_is_nothing_to_score(expected):
    with pytest.raises(NotScorable, match="nothing is expected"):
        f.trajectory_assessment(steps("a"), expected)


def test_a_trajectory_stands_beside_the_expected_one():
    found = f.trajectory_accuracy(steps("a"), [{"name": "a", "durationMs": 5, "metadata": {}}])
    assert found["expectedTrajectory"] == {"steps": [{"name": "a"}]}
    assert (found["actualStepNames"], found["expectedStepNames"]) == (["a"], ["a"])
    assert found["comparison"]["score"] == 1


@pytest.mark.parametrize("expected", [None, [{}], "a"])
def test_an_expectation_without_steps_is_refused(expected):
    with pytest.raises(ValueError):
        f.trajectory_accuracy(steps("a"), expected)


CALLS = [{"name": "search", "args": {"q": "x"}}, {"name": "book", "args": {"seat": 1}}]
BOOKED = [{"name": "book", "stepType": "tool_call", "toolArgs": {"seat": 2}}]


@pytest.mark.parametrize(
    ("options", "score", "taken"),
    [
        ({}, 0, ["search", "book"]),
        ({"names_only": True}, 1, ["search", "book"]),
        ({"only": ["book"]}, 0, ["book"]),
        ({"only": ["book"], "names_only": True, "ordering": "strict"}, 1, ["book"]),
        ({"only": ["search"]}, 0, ["search"]),
        ({"only": []}, 1, []),
    ],
)
def test_only_some_steps_or_only_names_may_be_compared(options, score, taken):
    found = f.trajectory_accuracy(CALLS, BOOKED, **options)
    assert (found["comparison"]["score"], found["actualStepNames"]) == (score, taken)
