import json

import pytest

from scorerkit import functions as f
from scorerkit.errors import RecordError
from scorerkit.traces.formats import langfuse as form
from scorerkit.traces.run import as_agent, as_trajectory


def seen(own, parent, kind, start, **more):
    return {
        "id": own, "traceId": "t", "type": kind, "parentObservationId": parent, "name": f"{kind} {own}", "level": "DEFAULT",
        "startTime": f"2026-01-01T00:00:0{start}.000Z", "endTime": f"2026-01-01T00:00:0{start}.500Z", "statusMessage": None, **more,
    }  # fmt: skip


HEADER = {"id": "t", "name": "weather", "input": json.dumps(json.dumps("Weather?")), "output": json.dumps("Sunny."), "sessionId": "s", "userId": "u",
          "tags": ["a"], "scores": [{"id": "1", "name": "toxicity", "value": 0, "source": "EVAL", "comment": "kind"}]}  # fmt: skip
OBSERVED = [
    seen("root", None, "SPAN", 0),
    seen("llm", "root", "GENERATION", 1, model="m", usageDetails={"input": 5, "output": 2},
         input=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Weather?"},
                {"role": "tool", "content": {"type": "function", "function": {"name": "search", "parameters": {}}}}],
         output={"role": "assistant", "content": "Sunny."}),
    seen("tool", "root", "TOOL", 2, name="search", input={"q": 1}, output="fine"),
    seen("lost", "root", "TOOL", 3, name="other", level="ERROR", statusMessage="it broke"),
]  # fmt: skip
LAYOUTS = [
    {"trace": HEADER, "observations": OBSERVED},
    {**HEADER, "observations": OBSERVED},
    [{"trace": HEADER, "observations": OBSERVED}],
]


@pytest.mark.parametrize("value", LAYOUTS)
def test_every_layout_tells_the_same(told, agent, value):
    made = told("langfuse", value)
    assert (made.run.input, made.run.output) == ("Weather?", "Sunny.")
    assert made.run.metadata == {
        "traceId": "t", "spanId": "root", "sessionId": "s", "userId": "u", "name": "weather", "tags": ["a"],
        "scores": [{"name": "toxicity", "value": 0, "source": "EVAL", "comment": "kind"}],
    }  # fmt: skip
    run = as_agent(made.run)
    assert (f.user_message(run.input), f.system_prompt(run.input), f.assistant_message(run.output)) == (
        "Weather?",
        "Be brief.",
        "Sunny.",
    )
    assert [(call["toolName"], call["state"]) for call in f.tool_calls(run.output)] == [
        ("search", "result"),
        ("other", "output-error"),
    ]
    steps = as_trajectory(made.run).output["steps"]
    assert [(step["name"], step.get("promptTokens"), step.get("success")) for step in steps] == [
        ("m", 5, None),
        ("search", None, True),
        ("other", None, False),
    ]


def test_bare_observations_are_a_trace(agent):
    run = agent("langfuse", OBSERVED)
    assert (f.user_message(run.input), f.assistant_message(run.output)) == ("Weather?", "Sunny.")


def test_a_plain_span_that_answered_a_call_is_a_tool(agent):
    answered = seen(
        "t1",
        "root",
        "SPAN",
        2,
        name="search",
        input="{'q': 1}",
        output={"type": "tool", "content": "x", "tool_call_id": "c"},
    )
    run = agent("langfuse", [OBSERVED[0], OBSERVED[1], answered])
    assert [(call["toolName"], call["toolCallId"], call["args"]) for call in f.tool_calls(run.output)] == [
        ("search", "c", "{'q': 1}")
    ]


@pytest.mark.parametrize(
    ("head", "prefix"),
    [
        (LAYOUTS[0], ""),
        (LAYOUTS[1], ""),
        (LAYOUTS[2], "item"),
        (OBSERVED, "item"),
        ({"trace": "x"}, None),
        ([], None),
        (5, None),
    ],
)
def test_an_export_is_recognised_by_what_it_holds(head, prefix):
    assert form.prefix(head) == prefix


@pytest.mark.parametrize("value", [[5], {"trace": {"name": "x"}, "observations": []}, [{"id": "a"}]])
def test_what_is_no_observation_is_a_bad_record(value):
    with pytest.raises(RecordError) as caught:
        list(form.raws(value))
    assert caught.value.code == "bad-record"


def test_a_trace_without_observations_is_broken(told):
    error = told("langfuse", {"trace": HEADER, "observations": []}).error
    assert (error.code, "has no spans" in error.message) == ("bad-record", True)
