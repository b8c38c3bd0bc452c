import pytest

from scorerkit import functions as f


def message(*calls, older=None):
    content = {"format": 2, "parts": [{"type": "tool-invocation", "toolInvocation": call} for call in calls]}
    if older is not None:
        content["toolInvocations"] = older
    return {"role": "assistant", "content": content}


def call(name, state="result", **more):
    return {"toolName": name, "state": state, **more}


def test_calls_of_all_finished_states_are_calls():
    calls = f.tool_calls(
        [message(call("a"), call("b", "call", args=""), call("c", "output-error"), call("d", "partial-call"))]
    )
    assert [(made["toolName"], made["state"], made["args"]) for made in calls] == [
        ("a", "result", {}),
        ("b", "call", ""),
        ("c", "output-error", {}),
    ]
    assert calls[2]["toolCallId"] == "0-2"


def test_errors_of_tools_are_results_that_say_so():
    results = f.tool_results(
        [
            message(
                call("a", "output-error", errorText="down", args={"x": 1}),
                call("b", result=None, isError=True),
                call("c", result={"ok": 1}),
                call("d"),
            )
        ]
    )
    assert results == [
        {"toolName": "a", "toolCallId": "", "args": {"x": 1}, "result": None, "isError": True, "errorText": "down"},
        {"toolName": "b", "toolCallId": "", "args": {}, "result": None, "isError": True, "errorText": ""},
        {"toolName": "c", "toolCallId": "", "args": {}, "result": {"ok": 1}},
    ]


@pytest.mark.parametrize(
    ("parts", "older", "order"),
    [
        ("b", "abc", "abc"),
        ("ab", "ab", "ab"),
        ("ab", "ba", "ab"),
        ("ad", "bcd", "abcd"),
        ("a", "b", "ab"),
        ("bd", "abc", "abdc"),
        ("", "ab", "ab"),
        ("ab", "", "ab"),
    ],
)
def test_older_calls_are_woven_in_before_the_next_shared_one(parts, older, order):
    given = message(
        *(call(name, toolCallId=name) for name in parts), older=[call(name, toolCallId=name) for name in older]
    )
    names = "".join(made["toolName"] for made in f.tool_calls([given]))
    assert names == order


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        3,
        [],
        ["x", None, {}],
        {"content": "x"},
        [{"content": {"parts": "x", "toolInvocations": "y"}}],
        [{"content": {"parts": [None, {"type": "tool-invocation", "toolInvocation": 3}]}}],
    ],
)
def test_what_is_no_conversation_has_no_calls(value):
    assert f.tool_calls(value) == f.tool_results(value) == []
