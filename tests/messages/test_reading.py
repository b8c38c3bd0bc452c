import json
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit import functions as f
from scorerkit.errors import RecordError
from scorerkit.messages import to_agent_run
from scorerkit.model.run import ScorerRun

FIXTURES = {file.stem: json.loads(file.read_text("utf-8")) for file in Path(__file__).parent.glob("fixtures/*.json")}


def run_of(name):
    return to_agent_run(ScorerRun(input=FIXTURES[name]["input"], output=FIXTURES[name]["output"]))


def without_identity(value):
    """Ids and times of messages: what a framework gives a message says nothing of what was said."""
    if isinstance(value, list):
        return [without_identity(item) for item in value]
    if not isinstance(value, dict):
        return value
    left = {key: item for key, item in value.items() if key != "createdAt" and not (key == "id" and "role" in value)}
    return {key: without_identity(item) for key, item in left.items()}


def test_there_is_a_fixture_of_every_shape():
    assert len(FIXTURES) == 11


@pytest.mark.parametrize(("one", "two"), [pytest.param(*pair, id="=".join(pair)) for pair in combinations(FIXTURES, 2)])
def test_the_same_conversation_in_two_shapes_is_the_same_run(one, two):
    first, second = run_of(one), run_of(two)
    assert without_identity(first.input) == without_identity(second.input)
    assert without_identity(first.output) == without_identity(second.output)


@pytest.mark.parametrize("name", FIXTURES)
def test_what_was_said_comes_out_of_every_shape(name):
    run = run_of(name)
    assert f.user_message(run.input) == "Is it warmer in Oslo or in Bergen?"
    assert f.assistant_message(run.output) == "It is warmer in Oslo."
    assert f.system_prompt(run.input) == "You answer questions about the weather."
    assert f.conversation(run.input) == "user: Hello\nassistant: Good morning."
    assert f.reasoning(run.output) == "They want two cities compared."
    assert [(call["toolName"], call["args"], call["state"]) for call in f.tool_calls(run.output)] == [
        ("get_weather", {"city": "Oslo"}, "result"),
        ("get_weather", {"city": "Bergen"}, "result"),
    ]
    assert [found["result"] for found in f.tool_results(run.output)] == [
        {"celsius": 14, "sky": "clear"},
        [{"celsius": 11}],
    ]


UNKNOWN = [
    ({"speaker": "bot", "said": "hello"}, "output[1]"),
    ({"role": "alien", "content": "hello"}, "output[1].role"),
    ({"role": "assistant", "parts": [{"type": "tool_call", "id": "c"}]}, "output[1].parts[0].name"),
    ({"role": "assistant", "parts": [{"type": "text", "content": 5}]}, "output[1].parts[0].content"),
    ({"role": "alien", "parts": [{"type": "text", "content": "a"}]}, "output[1].role"),
    ({"role": "assistant", "parts": [{"type": "tool-", "input": {}}]}, "output[1].parts[0]"),
    ({"role": "assistant", "parts": [{"type": "text", "text": None}]}, "output[1].parts[0].text"),
    ({"role": "assistant", "content": [{"type": "tool_use", "id": "t"}]}, "output[1].content[0].name"),
    ({"role": "alien", "content": [{"type": "tool_use", "id": "t"}]}, "output[1].role"),
    ({"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c"}]}, "output[1].content[0].toolName"),
    ({"type": "function_call", "call_id": "c", "arguments": "{}"}, "output[1]"),
    ({"type": "item_reference", "id": "m"}, "output[1]"),
    ({"type": "message", "role": "alien", "content": "a"}, "output[1].role"),
    ({"type": "message", "role": "assistant", "content": [{"type": "output_text"}]}, "output[1].content[0].text"),
    ({"type": "ai", "content": 3}, "output[1].content"),
    ({"type": "ai", "content": "", "tool_calls": [{"id": "c"}]}, "output[1].tool_calls[0]"),
    ({"type": "chat", "role": "alien", "content": "a"}, "output[1]"),
    ({"lc": 1, "type": "constructor", "id": ["langchain", "Thing"], "kwargs": {}}, "output[1]"),
    ("text", "output[1]"),
]


@pytest.mark.parametrize(("message", "place"), UNKNOWN)
def test_what_is_not_recognised_is_named_by_its_path(message, place):
    with pytest.raises(RecordError) as caught:
        to_agent_run(ScorerRun(input="q", output=[{"role": "assistant", "content": "x"}, message]))
    assert (caught.value.code, caught.value.at) == ("type-mismatch", place)


FAILED = {
    "anthropic": [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c", "content": "it broke", "is_error": True}],
        },
    ],
    "ai-sdk-5": [
        {"role": "assistant", "parts": [{"type": "tool-f", "toolCallId": "c", "state": "output-error", "input": {}, "errorText": "it broke"}]}
    ],
    "ai-sdk-model": [
        {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}}]},
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "f", "output": {"type": "error-text", "value": "it broke"}}]},
    ],
    "langchain": [
        {"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {}, "id": "c"}]},
        {"type": "tool", "content": "it broke", "tool_call_id": "c", "status": "error"},
    ],
    "responses": [{"type": "mcp_call", "id": "c", "name": "f", "arguments": "{}", "error": "it broke", "server_label": "s"}],
    "otel": [
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "c", "name": "f", "arguments": {}}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "response": "it broke", "is_error": True}]},
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", FAILED)
def test_a_tool_that_failed_is_a_call_with_its_words(name):
    [message] = to_agent_run(ScorerRun(input="q", output=FAILED[name])).output
    [call] = [part["toolInvocation"] for part in message["content"]["parts"]]
    assert call == {"toolName": "f", "args": {}, "toolCallId": "c", "state": "output-error", "errorText": "it broke"}


ORPHANS = [
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "r"}]},
    {"type": "function_call_output", "call_id": "c", "output": "r"},
    {"type": "tool", "content": "r", "tool_call_id": "c"},
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "response": "r"}]},
    {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "", "result": "r"}]},
]


@pytest.mark.parametrize("message", ORPHANS)
def test_a_result_without_its_call_is_kept(message):
    [made] = to_agent_run(ScorerRun(input="q", output=[message])).output
    assert made["role"] == "tool"
    assert f.tool_results([made]) == [{"toolName": "", "toolCallId": "c", "args": {}, "result": "r"}]


def test_one_ui_message_of_several_steps_becomes_several_messages():
    made = run_of("ai_sdk_ui_v5").output
    assert [message["id"] for message in made] == ["e", "e-2"]


def test_a_ui_message_from_before_parts_has_its_calls_first():
    given_message = {
        "id": "m",
        "role": "assistant",
        "content": "done",
        "reasoning": "hm",
        "toolInvocations": [{"state": "result", "toolCallId": "c", "toolName": "f", "args": {}, "result": 1}],
    }
    made = to_agent_run(ScorerRun(input="q", output=[given_message])).output
    assert [[part["type"] for part in message["content"]["parts"]] for message in made] == [
        ["reasoning", "tool-invocation"],
        ["text"],
    ]


def test_tools_of_the_provider_are_calls_too():
    item = {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"query": "weather"}}
    code = {"type": "code_interpreter_call", "id": "ci", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}], "status": "completed"}  # fmt: skip
    made = to_agent_run(ScorerRun(input="q", output=[item, code])).output
    assert [(call["toolName"], call["args"], call["state"]) for call in f.tool_calls(made)] == [
        ("web_search", {"query": "weather"}, "call"),
        ("code_interpreter", {"code": "1+1"}, "result"),
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["role", "type", "content", "parts", "id", "data", "kwargs", "tool_calls", "text", "name", "toolInvocations", "output"]),
        inner | st.sampled_from(["assistant", "user", "tool", "ai", "constructor", "tool_use", "tool_call", "tool-call", "reasoning", "function_call", "tool-x", "text"]),
        max_size=5,
    ),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_whatever_is_given_is_read_or_refused_in_words(value):
    with suppress(RecordError):
        made = to_agent_run(ScorerRun(input="q", output=[value])).output
        assert all(isinstance(message["role"], str) for message in made)
