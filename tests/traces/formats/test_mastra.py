import pytest
from trace_builders import agent_trace, mastra

from scorerkit import functions as f
from scorerkit.errors import RecordError
from scorerkit.traces.formats import mastra as form
from scorerkit.traces.run import as_trajectory

NESTED = agent_trace(
    mastra("a", "root", "tool_call", 2, entityName="flights", input={"q": 1}, output={"ok": True}),
    mastra("sub", "root", "agent_run", 3, input="x", output={"text": "y"}),
    mastra("c", "sub", "mcp_tool_call", 5, entityName="weather", input={}, output={"ok": True}),
    mastra("b", "sub", "tool_call", 4, entityName="hotels", errorInfo={"message": "full"}),
)
SNAPSHOT = {
    "spans": [
        {
            "span": {"id": "<1>", "traceId": "<t>", "name": "agent run: 'a'", "type": "agent_run", "isRootSpan": True, "input": "q", "output": {"text": "a"}},
            "children": [
                {
                    "span": {"id": "<2>", "parentId": "<1>", "traceId": "<t>", "name": "llm: 'm'", "type": "model_generation", "isRootSpan": False, "output": {}},
                    "children": [{"span": {"id": "<3>", "parentId": "<2>", "traceId": "<t>", "name": "tool: 'calc'", "type": "tool_call", "isRootSpan": False, "input": {"a": 1}, "output": 2}}],
                }
            ],
        }
    ]
}  # fmt: skip


@pytest.mark.parametrize(
    ("head", "prefix"),
    [
        ([{"traceId": "t", "spans": [mastra("a")]}], "item"),
        ({"traceId": "t", "spans": []}, ""),
        ([mastra("a")], "item"),
        (mastra("a"), ""),
        (SNAPSHOT, "spans.item"),
        (SNAPSHOT["spans"], "item"),
        ({"input": "q", "output": "a"}, None),
        ([], None),
        ("text", None),
        ({"spans": [{"name": "x"}]}, None),
    ],
)
def test_a_document_is_recognised_by_what_it_holds(head, prefix):
    assert form.prefix(head) == prefix


@pytest.mark.parametrize("value", [NESTED, {"traceId": "t", "spans": NESTED}, [{"traceId": "t", "spans": NESTED}]])
def test_all_layouts_hold_the_same_spans(value):
    assert [(raw.trace, raw.id, raw.parent) for raw in form.raws(value)] == [
        ("t", "root", None), ("t", "model", "root"), ("t", "a", "root"), ("t", "sub", "root"), ("t", "c", "sub"), ("t", "b", "sub"),
    ]  # fmt: skip


def test_all_tool_calls_under_the_agent_are_kept_with_results_and_errors(agent):
    output = agent("mastra", NESTED).output
    assert [(call["toolName"], call["state"]) for call in f.tool_calls(output)] == [
        ("flights", "result"), ("hotels", "output-error"), ("weather", "result"),
    ]  # fmt: skip
    assert f.tool_results(output)[1]["errorText"] == "full"
    assert f.assistant_message(output) == "Booked."


def test_a_snapshot_is_read(told, agent):
    run = agent("mastra", SNAPSHOT)
    assert (f.user_message(run.input), f.assistant_message(run.output)) == ("q", "a")
    assert [(call["toolName"], call["args"]) for call in f.tool_calls(run.output)] == [("calc", {"a": 1})]
    assert as_trajectory(told("mastra", SNAPSHOT).run).output["steps"] == [
        {"name": "m", "stepType": "model_generation", "children": [
            {"name": "calc", "stepType": "tool_call", "toolArgs": {"a": 1}, "toolResult": {"value": 2}}]}
    ]  # fmt: skip


def test_session_and_user_are_kept(told):
    made = told("mastra", agent_trace(metadata={"threadId": "s", "resourceId": "u"}))
    assert made.run.metadata == {"traceId": "t", "spanId": "root", "sessionId": "s", "userId": "u"}


@pytest.mark.parametrize(
    "value",
    [
        {"traceId": "t", "spans": []},
        [{"spanId": "x", "spanType": "agent_run"}],
        [{"traceId": "t", "spanType": "agent_run"}],
        [{"traceId": "t", "spans": ["text"]}],
        [5],
    ],
)
def test_what_is_no_span_is_a_bad_record(value):
    with pytest.raises(RecordError) as caught:
        list(form.raws(value))
    assert caught.value.code == "bad-record"
