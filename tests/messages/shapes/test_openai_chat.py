import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit.errors import RecordError
from scorerkit.messages import to_agent_run
from scorerkit.model.run import ScorerRun


def read(*messages):
    return to_agent_run(ScorerRun(input="q", output=list(messages))).output


def call(name="search", arguments="{}", identity="c1"):
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls, content=None):
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def answer(content, identity="c1", **more):
    return {"role": "tool", "tool_call_id": identity, "content": content, **more}


def invocations(messages):
    return [
        part["toolInvocation"]
        for message in messages
        for part in message["content"]["parts"]
        if part["type"] == "tool-invocation"
    ]


def test_a_result_goes_into_the_call_that_it_answers():
    [message, last] = read(
        calling(call(arguments='{"q": 1}')), answer("42 hits"), {"role": "assistant", "content": "done"}
    )
    assert message == {
        "id": "msg-0",
        "role": "assistant",
        "content": {
            "format": 2,
            "parts": [
                {
                    "type": "tool-invocation",
                    "toolInvocation": {
                        "state": "result",
                        "toolName": "search",
                        "args": {"q": 1},
                        "toolCallId": "c1",
                        "result": "42 hits",
                    },
                }
            ],
        },
    }
    assert last["id"] == "msg-2"


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ('{"a": [1]}', {"a": [1]}),
        ("", ""),
        ('{"q": ', '{"q": '),
        ("NaN", "NaN"),
        ("5", 5),
        (None, {}),
        ({"already": "parsed"}, {"already": "parsed"}),
        ('{"\\ud800": 1}', '{"\\ud800": 1}'),
    ],
)
def test_arguments_are_parsed_or_kept_as_they_were_written(arguments, args):
    assert invocations(read(calling(call(arguments=arguments))))[0]["args"] == args


@pytest.mark.parametrize(
    ("content", "result"),
    [
        ('{"error": "no"}', {"error": "no"}),
        ("[1, 2]", [1, 2]),
        ("[1, 2", "[1, 2"),
        ("12", "12"),
        ("true", "true"),
        (None, None),
        ([{"type": "text", "text": '{"a":'}, {"type": "text", "text": "1}"}], {"a": 1}),
        ([{"type": "image_url", "image_url": {}}], [{"type": "image_url", "image_url": {}}]),
        ({"rows": 3}, {"rows": 3}),
    ],
)
def test_a_result_is_parsed_only_where_it_is_an_object_or_a_list(content, result):
    assert invocations(read(calling(call()), answer(content)))[0]["result"] == result


def test_a_call_without_a_result_stays_a_call():
    assert [made["state"] for made in invocations(read(calling(call(), call(identity="c2")), answer("x", "c2")))] == [
        "call",
        "result",
    ]


def test_an_id_that_comes_again_answers_the_oldest_open_call():
    made = read(calling(call("a")), answer("1"), calling(call("b")), answer("2"))
    assert [(item["toolName"], item["result"]) for item in invocations(made)] == [("a", "1"), ("b", "2")]


def test_the_older_function_call_is_answered_by_name():
    made = read(
        {"role": "assistant", "content": None, "function_call": {"name": "weather", "arguments": '{"city":"Oslo"}'}},
        {"role": "function", "name": "weather", "content": "cold"},
    )
    assert invocations(made) == [{"state": "result", "toolName": "weather", "args": {"city": "Oslo"}, "result": "cold"}]


def test_a_custom_tool_call_keeps_its_input():
    made = read(calling({"id": "c1", "type": "custom", "custom": {"name": "shell", "input": "ls -l"}}))
    assert invocations(made) == [{"state": "call", "toolName": "shell", "args": "ls -l", "toolCallId": "c1"}]


@pytest.mark.parametrize(("more", "name"), [({"name": "weather"}, "weather"), ({}, "")])
def test_a_result_without_its_call_is_a_message_of_its_own(more, name):
    [made] = read(answer("cold", "c9", **more))
    assert (made["role"], made["id"]) == ("tool", "msg-0")
    assert invocations([made]) == [{"state": "result", "toolName": name, "result": "cold", "toolCallId": "c9"}]


def test_parts_of_text_stay_text_and_others_become_files():
    image = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    [made] = read(
        {"role": "user", "content": [{"type": "text", "text": "Look"}, image, {"type": "refusal", "refusal": "No."}]}
    )
    assert made["content"]["parts"] == [
        {"type": "text", "text": "Look"},
        {"type": "file", "originalType": "image_url", "image_url": image["image_url"]},
        {"type": "text", "text": "No."},
    ]


def test_reasoning_and_refusals_beside_the_content_are_kept():
    [made] = read({"role": "assistant", "content": None, "reasoning_content": "hmm", "refusal": "I cannot."})
    assert made["content"]["parts"] == [
        {"type": "reasoning", "reasoning": "hmm", "details": [{"type": "text", "text": "hmm"}]},
        {"type": "text", "text": "I cannot."},
    ]


def test_id_and_time_are_kept_and_no_time_is_made_up():
    [one, two] = read(
        {"role": "assistant", "content": "a", "id": "x", "createdAt": "2026-01-01T00:00:00Z"},
        {"role": "assistant", "content": "b", "id": 7},
    )
    assert (one["id"], one["createdAt"]) == ("x", "2026-01-01T00:00:00Z")
    assert (two["id"], "createdAt" in two) == ("msg-1", False)


@pytest.mark.parametrize(
    ("message", "at"),
    [
        (calling({"id": "c1", "function": {"arguments": "{}"}}), "output[0].tool_calls[0]"),
        (calling("search"), "output[0].tool_calls[0]"),
        ({"role": "assistant", "content": "", "tool_calls": {}}, "output[0].tool_calls"),
        ({"role": "assistant", "content": None, "function_call": {"name": ""}}, "output[0].function_call"),
        ({"role": "user", "content": 5}, "output[0].content"),
        ({"role": "user", "content": [5]}, "output[0].content[0]"),
        ({"role": "user", "content": [{"type": "text"}]}, "output[0].content[0].text"),
    ],
)
def test_what_is_broken_is_named_by_its_path(message, at):
    with pytest.raises(RecordError) as caught:
        read(message)
    assert (caught.value.code, caught.value.at) == ("type-mismatch", at)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
ROLES = st.sampled_from(["system", "user", "assistant", "tool", "function", "signal"])
MESSAGE = st.fixed_dictionaries(
    {}, optional={"role": ROLES, "content": JSON, "tool_calls": JSON, "name": JSON, "parts": JSON, "type": JSON}
)


@given(st.lists(MESSAGE, max_size=4), JSON | st.lists(MESSAGE, max_size=3))
def test_any_record_is_read_or_is_a_mismatch(messages, given_input):
    try:
        made = to_agent_run(ScorerRun(input=given_input, output=messages)).output
    except RecordError as error:
        outcome = (error.code, str(error.at).startswith(("input", "output")))
    else:
        outcome = ("read", all(isinstance(message["role"], str) for message in made))
    assert outcome in {("read", True), ("type-mismatch", True)}
