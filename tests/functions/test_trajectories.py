import pytest

from scorerkit import functions as f
from scorerkit.errors import RecordError
from scorerkit.functions.trajectories import to_trajectory_run
from scorerkit.model.run import ScorerRun


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


@pytest.mark.parametrize(
    ("output", "names"),
    [
        ({"steps": [{"name": "a"}]}, ["a"]),
        (
            [
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "c", "function": {"name": "a", "arguments": "{}"}}],
                }
            ],
            ["a"],
        ),
        ([{"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "a", "input": {}}]}], ["a"]),
        ({"stepResults": {"a": {"status": "success"}}}, ["a"]),
        ([{"spanId": "1", "spanType": "tool_call", "name": "tool: 'a'"}], ["a"]),
        ([{"name": "a", "args": {"x": 1}}, {"name": "b", "args": {}}], ["a", "b"]),
        ([], []),
        ("text", []),
    ],
)
def test_a_run_of_type_trajectory_has_steps_whatever_it_was_given(output, names):
    run = to_trajectory_run(ScorerRun(input="q", output=output))
    assert [step["name"] for step in run.output["steps"]] == names
    assert run.input == "q"


def test_a_list_of_calls_has_their_arguments_and_results():
    steps = f.trajectory([{"name": "a", "args": {"x": 1}, "result": 3}, {"name": "b", "args": None}])["steps"]
    assert steps == [
        {"stepType": "tool_call", "name": "a", "toolArgs": {"x": 1}, "toolResult": {"value": 3}},
        {"stepType": "tool_call", "name": "b"},
    ]


@pytest.mark.parametrize(
    ("output", "place"), [(5, "output"), ({"answer": "x"}, "output"), ([{"said": "x"}], "output[0]"), (None, "output")]
)
def test_what_has_no_steps_fails_the_record_with_its_place(output, place):
    with pytest.raises(RecordError) as caught:
        to_trajectory_run(ScorerRun(output=output))
    assert (caught.value.code, caught.value.at) == ("type-mismatch", place)
