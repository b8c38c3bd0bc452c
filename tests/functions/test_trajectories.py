import pytest

from scorerkit import functions as f


def call(state, **more):
    return {
        "content": {"parts": [{"type": "tool-invocation", "toolInvocation": {"toolName": "a", "state": state, **more}}]}
    }


@pytest.mark.parametrize(
    ("made", "step"),
    [
        (
            call("result", args={"x": 1}, result="r"),
            {"toolArgs": {"x": 1}, "toolResult": {"value": "r"}, "success": True},
        ),
        (call("result", isError=True), {"success": False}),
        (call("output-error", args="raw"), {"toolArgs": {"value": "raw"}, "success": False}),
        (call("call", args=None), {"success": False}),
    ],
)
def test_a_call_is_a_step(made, step):
    assert f.trajectory([made]) == {"steps": [{"stepType": "tool_call", "name": "a", **step}], "rawOutput": [made]}


def test_a_trajectory_is_itself_and_text_has_no_steps():
    given = {"steps": [{"name": "a"}], "totalDurationMs": 3}
    assert f.trajectory(given) is given
    assert f.trajectory("Paris") == {"steps": [], "rawOutput": "Paris"}
    assert f.trajectory({"text": "Paris"})["steps"] == []


def test_a_workflow_without_times_has_no_duration():
    assert f.trajectory({"stepResults": {"a": {"status": "running"}, "b": "odd"}})["steps"] == [
        {"stepType": "workflow_step", "name": "a", "stepId": "a", "status": "running"}
    ]


@pytest.mark.parametrize("value", [None, 3, {}, {"answer": "x"}])
def test_anything_else_has_no_trajectory(value):
    with pytest.raises(ValueError, match="trajectory needs"):
        f.trajectory(value)
