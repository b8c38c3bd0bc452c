import pytest

from scorerkit import functions as f


def steps(*names, **more):
    return {"steps": [{"stepType": "tool_call", "name": name, **more} for name in names]}


@pytest.mark.parametrize(
    ("actual", "expected", "options", "score"),
    [
        ("abc", "abc", {}, 1),
        ("axbyc", "abc", {}, 1),
        ("acb", "abc", {}, 0.67),
        ("acb", "abc", {"ordering": "strict"}, 0.33),
        ("acb", "abc", {"ordering": "unordered"}, 1),
        ("abcd", "ab", {"ordering": "strict"}, 0.5),
        ("aab", "ab", {"allow_repeated_steps": False}, 0.9),
        ("", "ab", {}, 0),
        ("", "", {}, 1),
        ("a", "", {}, 0),
    ],
)
def test_the_score_is_the_share_of_expected_steps_less_penalties(actual, expected, options, score):
    assert f.compare_trajectories(steps(*actual), steps(*expected), **options)["score"] == score


def test_argument_comparison_ignores_key_order():
    done = steps("a", toolArgs={"x": 1, "y": {"p": [1, 2], "q": None}})
    wanted = steps("a", toolArgs={"y": {"q": None, "p": [1, 2]}, "x": 1})
    assert f.compare_trajectories(done, wanted)["score"] == 1
    assert f.compare_trajectories(done, steps("a", toolArgs={"x": True, "y": {"p": [1, 2], "q": None}}))["score"] == 0
    assert f.compare_trajectories(done, steps("a", toolArgs={"x": "1"}))["score"] == 0


def test_fields_are_compared_only_where_the_type_is_given():
    done = steps("a", toolArgs={"x": 1})["steps"]
    assert f.compare_trajectories(done, [{"name": "a", "toolArgs": {"x": 2}}])["score"] == 1
    assert f.compare_trajectories(done, [{"name": "a", "stepType": "tool_call", "toolArgs": {"x": 2}}])["score"] == 0
    assert f.compare_trajectories(done, [{"name": "a", "stepType": "agent_run"}])["score"] == 0


@pytest.mark.parametrize(
    ("actual", "expected", "ordering", "words"),
    [
        (steps("a"), steps("a"), "loose", "orderings"),
        ("text", steps("a"), "strict", "needs a trajectory"),
        (steps("a"), None, "strict", "needs a trajectory"),
        ([{"stepType": "tool_call"}], steps("a"), "strict", "index 0 has no name"),
        ([5], steps("a"), "strict", "index 0 has no name"),
    ],
)
def test_what_cannot_be_compared_is_said(actual, expected, ordering, words):
    with pytest.raises(ValueError, match=words):
        f.compare_trajectories(actual, expected, ordering)
