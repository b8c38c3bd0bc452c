import pytest

from scorerkit import functions as f
from scorerkit.functions.spans import bare_name, time_of


@pytest.mark.parametrize(
    ("span", "name"),
    [
        ({"spanType": "tool_call", "name": "tool: 'search'"}, "search"),
        ({"spanType": "mcp_tool_call", "name": "mcp_tool: 'x' on 'server'"}, "x"),
        ({"spanType": "tool_call", "name": "tool: 'search'", "entityId": "own"}, "own"),
        ({"spanType": "tool_call", "name": "tool: 'search'", "entityName": "named"}, "named"),
        ({"spanType": "agent_run", "name": "agent run: 'weather'", "entityId": "id"}, "weather"),
        ({"spanType": "model_generation", "name": "llm: 'm'"}, "m"),
        ({"spanType": "agent_run", "name": "plain"}, "plain"),
        ({"spanType": "agent_run"}, ""),
    ],
)
def test_names_from_traces_are_bare(span, name):
    assert bare_name(span) == name


@pytest.mark.parametrize(
    ("value", "time"),
    [("1970-01-01T00:00:01Z", 1000), ("1970-01-01T00:00:01+01:00", -3599000), ("1970-01-01T00:00:00.5", 500), (7, 7), ("", None), ("soon", None), (None, None), (True, None)],
)  # fmt: skip
def test_times_are_milliseconds(value, time):
    assert time_of(value) == time


def span(own, parent, kind, **more):
    return {"spanId": own, "parentSpanId": parent, "spanType": kind, "name": own, **more}


def test_spans_that_are_no_steps_hand_their_children_up():
    spans = [
        span("a", None, "agent_run"),
        span("g", "a", "generic"),
        span("s", "g", "scorer_run"),
        span("t", "s", "tool_call"),
    ]
    assert f.trajectory(spans) == {"steps": [{"name": "t", "stepType": "tool_call"}]}


def test_a_root_may_be_chosen():
    spans = [span("a", None, "agent_run"), span("b", "a", "agent_run"), span("t", "b", "tool_call")]
    assert f.trajectory(spans, "b")["steps"] == [{"name": "t", "stepType": "tool_call"}]
    assert f.trajectory(spans, "nobody") == {"steps": []}


def test_long_chains_are_walked_without_recursion():
    spans = [span(str(n), str(n - 1) if n else None, "workflow_step") for n in range(5000)]
    assert len(f.trajectory(spans)["steps"]) == 1


def test_a_span_that_is_its_own_parent_is_a_root():
    assert len(f.trajectory([span("a", "a", "tool_call")])["steps"]) == 1
