import pytest

from scorerkit import functions as f


def call(name, **more):
    return {"stepType": "tool_call", "name": name, **more}


def model(taken, made):
    return {"stepType": "model_generation", "name": "m", "promptTokens": taken, "completionTokens": made}


@pytest.mark.parametrize(
    ("steps", "budgets", "score"),
    [
        ([], {"max_steps": 0}, 1),
        ([call("a")], {"max_steps": 0, "no_redundant_calls": False}, 0),
        ([model(0, 0)], {"max_total_tokens": 0}, 1),
        ([model(1, 0)], {"max_total_tokens": 0, "no_redundant_calls": False}, 0),
        ([call("a", durationMs=0)], {"max_total_duration_ms": 0}, 1),
        ([call("a", durationMs=1)], {"max_total_duration_ms": 0, "no_redundant_calls": False}, 0),
    ],
)
def test_a_budget_of_0_gives_1_if_the_measure_is_0_else_0(steps, budgets, score):
    assert f.trajectory_efficiency(steps, **budgets)["score"] == score


@pytest.mark.parametrize("budget", ["max_total_tokens", "max_total_duration_ms"])
def test_a_budget_without_a_measurement_is_an_error(budget):
    with pytest.raises(ValueError, match="budget"):
        f.trajectory_efficiency([call("a")], **{budget: 5})


def test_redundant_calls_are_found_whatever_the_order_of_keys():
    found = f.trajectory_efficiency([call("a", toolArgs={"p": 1, "q": 2}), call("a", toolArgs={"q": 2, "p": 1})])
    assert (found["score"], found["redundantCalls"]) == (0.8, [{"name": "a", "index": 1}])


def test_tokens_of_nested_models_count():
    assert f.trajectory_efficiency([{"name": "r", "children": [model(7, 3)]}], max_total_tokens=5)["totalTokens"] == 10


def test_the_duration_of_the_whole_wins_over_those_of_steps():
    value = {"steps": [call("a", durationMs=500)], "totalDurationMs": 100}
    assert f.trajectory_efficiency(value, max_total_duration_ms=100)["totalDurationMs"] == 100


@pytest.mark.parametrize("budget", [-1, float("inf"), float("nan"), "5", True])
def test_a_budget_is_a_number_from_0_up(budget):
    with pytest.raises(ValueError, match="'max_steps' must be a number from 0 up"):
        f.trajectory_efficiency([], max_steps=budget)


@pytest.mark.parametrize(
    ("tools", "sequences", "score"),
    [
        (None, None, 1),
        (["b"], None, 0),
        (["x"], [["a", "b"]], 0),
        ([], [["a", "c"], []], 1),
        ([], [["b", "c", "d"]], 1),
    ],
)
def test_the_blacklist_knows_names_and_runs_of_names(tools, sequences, score):
    assert f.trajectory_blacklist([call("a"), call("b"), call("c")], tools, sequences)["score"] == score


@pytest.mark.parametrize(
    ("outcomes", "limit", "score", "retries"),
    [("", 2, 1, 0), ("-+", 2, 1, 1), ("---+", 2, 0.8, 3), ("-+", 0, 0.8, 1), ("+++", 0, 1, 0), ("--------", 0, 0, 7)],
)
def test_retries_beyond_the_limit_cost(outcomes, limit, score, retries):
    found = f.tool_failures([call("a", success=mark == "+") for mark in outcomes], limit)
    assert (found["score"], found["totalRetries"]) == (score, retries)


def test_another_tool_after_a_failure_is_named():
    [pattern] = f.tool_failures([call("a", success=False), call("a", success=False), call("b", success=True)])[
        "patterns"
    ]
    assert (pattern["fellBackToAlternative"], pattern["alternativeTool"], pattern["eventuallySucceeded"]) == (
        True,
        "b",
        False,
    )


@pytest.mark.parametrize("limit", [-1, 1.5, True, None])
def test_a_limit_is_a_whole_number_from_0_up(limit):
    with pytest.raises(ValueError, match="must be a whole number"):
        f.tool_failures([], limit)
