import json

import pytest
from trace_builders import document, otlp

from scorerkit import functions as f
from scorerkit.errors import RecordError
from scorerkit.traces.formats import otlp as form
from scorerkit.traces.run import as_trajectory

Q = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Weather?"}]}])
A = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Sunny."}], "finish_reason": "stop"}])
ROOT = otlp(1, None, 0, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="a")
CHAT = otlp(
    2,
    1,
    1,
    gen_ai__operation__name="chat",
    gen_ai__input__messages=Q,
    gen_ai__output__messages=A,
    gen_ai__request__model="m",
)
TOOL = otlp(
    3,
    1,
    2,
    gen_ai__operation__name="execute_tool",
    gen_ai__tool__name="search",
    gen_ai__tool__call__arguments='{"q": 1}',
    gen_ai__tool__call__result="[1]",
    gen_ai__tool__call__id="c",
)
PRINTED = {
    "name": "invoke_agent a",
    "context": {"trace_id": "0x" + "0" * 31 + "1", "span_id": "0x0000000000000001"},
    "parent_id": None,
    "start_time": "2026-01-01T00:00:00.000000Z",
    "end_time": "2026-01-01T00:00:01.000000Z",
    "status": {"status_code": "UNSET"},
    "attributes": {"gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": Q, "gen_ai.output.messages": A},
    "events": [],
}


@pytest.mark.parametrize(
    ("head", "prefix"),
    [
        (document(ROOT), "resourceSpans.item.scopeSpans.item.spans.item"),
        ([document(ROOT)], "item.resourceSpans.item.scopeSpans.item.spans.item"),
        ({"resourceSpans": []}, "resourceSpans.item.scopeSpans.item.spans.item"),
        ({"batches": [{"instrumentationLibrarySpans": []}]}, "batches.item.instrumentationLibrarySpans.item.spans.item"),
        ({"spans": [PRINTED], "final_output": 1}, "spans.item"),
        ([PRINTED], "item"),
        (PRINTED, ""),
        ({"spans": [{"span": {}}]}, None),
        ({"input": 1, "output": 2}, None),
        (None, None),
    ],
)  # fmt: skip
def test_a_document_is_recognised_by_what_it_holds(head, prefix):
    assert form.prefix(head) == prefix


def test_ids_in_base64_are_those_in_hexadecimal():
    raw = {"traceId": "S+3qd7szucXygDceriHqlw==", "spanId": "qwiv6jVIxUc=", "parentSpanId": "gQDZ2+4fPkc="}
    [read] = form.raws(raw)
    assert read[:3] == ("4bedea77bb33b9c5f280371eae21ea97", "ab08afea3548c547", "8100d9dbee1f3e47")


def test_numbers_and_prefixed_ids_are_those_in_hexadecimal():
    number = {
        **PRINTED,
        "context": {"trace_id": 100927429609276267646756448943279827607, "span_id": 12324293800750531911},
    }
    assert next(iter(form.raws(number)))[:2] == ("4bedea77bb33b9c5f280371eae21ea97", "ab08afea3548c547")
    assert next(iter(form.raws(PRINTED)))[:2] == ("0" * 31 + "1", "0000000000000001")


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ({"code": 2, "message": "it broke"}, "output-error"),
        ({"code": "STATUS_CODE_ERROR", "message": "it broke"}, "output-error"),
        ({"code": 1}, "result"),
        ({"code": "STATUS_CODE_OK"}, "result"),
        ({"code": 0}, "result"),
        ({}, "result"),
        (None, "result"),
    ],
)
def test_enums_are_numbers_or_names(agent, status, state):
    tool = otlp(3, 1, 2, gen_ai__tool__name="search", status=status)
    [call] = f.tool_calls(agent("otlp", document(ROOT, CHAT, tool)).output)
    assert call["state"] == state


def test_the_exception_says_what_the_status_does_not(agent):
    thrown = {"name": "exception", "attributes": [{"key": "exception.message", "value": {"stringValue": "it broke"}}]}
    tool = otlp(3, 1, 2, gen_ai__tool__name="search", status={"code": 2}, events=[thrown])
    [result] = f.tool_results(agent("otlp", document(ROOT, CHAT, tool)).output)
    assert (result["isError"], result["errorText"]) == (True, "it broke")


@pytest.mark.parametrize(
    "value", [document(ROOT, CHAT, TOOL), [document(ROOT, CHAT), document(TOOL)], [ROOT, CHAT, TOOL]]
)
def test_a_trace_is_an_agent_run(agent, value):
    run = agent("otlp", value)
    assert f.user_message(run.input) == "Weather?"
    assert f.assistant_message(run.output) == "Sunny."
    assert [(call["toolName"], call["args"], call["toolCallId"]) for call in f.tool_calls(run.output)] == [
        ("search", {"q": 1}, "c")
    ]
    assert [found["result"] for found in f.tool_results(run.output)] == [[1]]


def test_a_span_that_an_sdk_printed_is_a_trace_too(told, agent):
    run = agent("otlp", [PRINTED])
    assert (f.user_message(run.input), f.assistant_message(run.output)) == ("Weather?", "Sunny.")
    assert as_trajectory(told("otlp", [PRINTED]).run).output == {"steps": [], "totalDurationMs": 1000}


def test_all_kinds_of_attributes_are_read():
    span = otlp(1, text="a", whole=5, fraction=0.5, flag=True, many=["a", 1], inner={"k": [1]})
    assert form.attributes_of(span) == {
        "text": "a",
        "whole": 5,
        "fraction": 0.5,
        "flag": True,
        "many": ["a", 1],
        "inner": {"k": [1]},
    }
    assert form.attributes_of(
        {"attributes": [{"key": "a", "value": {}}, {"key": "b", "value": {"intValue": "x"}}, 3]}
    ) == {"a": None, "b": "x"}


def test_spans_of_one_run_that_lost_their_parents_hang_under_its_root(agent):
    lost = {
        **PRINTED,
        "context": {"trace_id": 1, "span_id": 2},
        "parent": {"span_id": 77},
        "attributes": {"gen_ai.tool.name": "search"},
    }
    del lost["parent_id"]
    root = {
        **PRINTED,
        "context": {"trace_id": 1, "span_id": 1},
        "attributes": {"gen_ai.operation.name": "invoke_agent"},
    }
    run = agent("otlp", {"spans": [lost, root], "final_output": {"steps": [1]}})
    assert [call["toolName"] for call in f.tool_calls(run.output)] == ["search"]
    assert f.assistant_message(run.output) == '{"steps":[1]}'


@pytest.mark.parametrize(
    "value",
    [5, {}, {"spanId": "x"}, {"resourceSpans": [{"scopeSpans": [{"spans": [5]}]}]}, [{"context": {"trace_id": 1}}]],
)
def test_what_is_no_span_is_a_bad_record(value):
    with pytest.raises(RecordError) as caught:
        list(form.raws(value))
    assert caught.value.code == "bad-record"


def test_session_and_user_are_kept(told):
    root = otlp(1, None, 0, gen_ai__input__messages=Q, gen_ai__output__messages=A, session__id="s")
    other = otlp(2, 1, 1, user__id="u")
    made = told("otlp", document(root, other))
    assert made.run.metadata == {"traceId": f"{1:032x}", "spanId": f"{1:016x}", "sessionId": "s", "userId": "u"}
