import pytest

from scorerkit import functions as f
from scorerkit.errors import RecordError
from scorerkit.traces.formats import inspect_log as form
from scorerkit.traces.run import as_agent, as_trajectory

SAMPLE = {
    "id": "task-1", "epoch": 1, "uuid": "abc", "input": "Weather?", "target": "Sunny", "scores": {"match": {"value": "C"}}, "metadata": {},
    "messages": [
        {"id": "1", "role": "system", "content": "Be brief."},
        {"id": "2", "role": "user", "content": "Weather?", "source": "input"},
        {"id": "3", "role": "assistant", "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Let me look."}],
         "tool_calls": [{"id": "c1", "function": "search", "arguments": {"q": 1}, "type": "function"}, {"id": "c2", "function": "fetch", "arguments": {}}]},
        {"id": "4", "role": "tool", "content": "[1]", "tool_call_id": "c1", "function": "search"},
        {"id": "5", "role": "tool", "content": "", "tool_call_id": "c2", "function": "fetch", "error": {"type": "timeout", "message": "too late"}},
        {"id": "6", "role": "assistant", "content": "Sunny."},
    ],
    "output": {"model": "m", "choices": [{"message": {"role": "assistant", "content": "Sunny."}, "stop_reason": "stop"}], "completion": "Sunny."},
}  # fmt: skip
LOG = {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": [SAMPLE]}


@pytest.mark.parametrize("value", [LOG, SAMPLE])
def test_a_sample_is_a_run(told, value):
    made = told("inspect", value)
    assert (made.run.input, made.run.output, made.run.ground_truth, made.run.run_id) == (
        "Weather?",
        "Sunny.",
        "Sunny",
        "abc",
    )
    assert made.run.metadata["sample"] == {"id": "task-1", "epoch": 1, "scores": {"match": {"value": "C"}}}
    run = as_agent(made.run)
    assert (f.user_message(run.input), f.system_prompt(run.input), f.assistant_message(run.output)) == (
        "Weather?",
        "Be brief.",
        "Sunny.",
    )
    assert f.reasoning(run.output) == "hm"
    assert [(call["toolName"], call["args"], call["state"]) for call in f.tool_calls(run.output)] == [
        ("search", {"q": 1}, "result"),
        ("fetch", {}, "output-error"),
    ]
    assert f.tool_results(run.output)[1]["errorText"] == "too late"
    assert [(step["name"], step["success"]) for step in as_trajectory(made.run).output["steps"]] == [
        ("search", True),
        ("fetch", False),
    ]


def test_answers_of_the_input_are_remembered(told):
    given = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "Weather?"},
    ]
    run = as_agent(
        told(
            "inspect", {**SAMPLE, "input": given, "messages": [*given, {"role": "assistant", "content": "Sunny."}]}
        ).run
    )
    assert (f.conversation(run.input), f.user_message(run.input)) == ("user: Hi\nassistant: Hello", "Weather?")
    assert len(run.output) == 1


def test_a_sample_without_uuid_is_named_by_id_and_epoch():
    assert next(form.raws({"id": 7, "epoch": 2, "input": "q"})).trace == "7-2"


def test_a_sample_that_was_cut_off_is_broken(told):
    made = told("inspect", {"id": 1, "epoch": 1, "input": "q", "messages": [{"role": "user", "content": "q"}]})
    assert made.error.code == "bad-record"


@pytest.mark.parametrize(
    ("head", "prefix"),
    [
        (LOG, "samples.item"),
        (SAMPLE, ""),
        ({"eval": {}, "status": "started"}, "samples.item"),
        ({"id": 1}, None),
        ([SAMPLE], None),
    ],
)
def test_a_log_is_recognised_by_what_it_holds(head, prefix):
    assert form.prefix(head) == prefix


def test_what_is_no_sample_is_a_bad_record():
    with pytest.raises(RecordError):
        list(form.raws({"eval": {}, "samples": [{"id": 1}]}))
