from types import SimpleNamespace as N

import pytest

from scorerkit.judge.completion import reply_of, whole


def openai(message, finish="stop", usage=None):
    return N(choices=[N(message=message, finish_reason=finish)], usage=usage, model="m-1")


def test_text_comes_from_the_content_or_the_tool_call():
    assert reply_of(openai(N(content="hi"))).text == "hi"
    call = N(function=N(arguments='{"a": 1}'))
    assert reply_of(openai(N(content=None, tool_calls=[call]))).text == '{"a": 1}'


def test_several_tool_calls_are_all_shown_to_the_reader():
    calls = [N(function=N(arguments=text)) for text in ('{"a": 1}', '{"a": 2}')]
    assert reply_of(openai(N(content=None, tool_calls=calls))).text == '{"a": 1}\n{"a": 2}'


def test_no_choice_and_no_content_are_an_empty_answer():
    assert reply_of(N(choices=[], usage=None, model="m")).text == ""
    assert reply_of(openai(N(content=None))).text == ""


def test_usage_is_told_as_far_as_it_is_known():
    usage = N(
        prompt_tokens=10,
        completion_tokens=5,
        total_tokens=15,
        completion_tokens_details=N(reasoning_tokens=3),
        prompt_tokens_details=N(cached_tokens=0),
        cost=0.25,
    )
    reply = reply_of(openai(N(content="x", refusal="no"), "length", usage))
    assert reply.usage == {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15, "reasoningTokens": 3}
    assert (reply.cost, reply.finish_reason, reply.refusal, reply.model) == (0.25, "length", "no", "m-1")
    assert reply_of(openai(N(content="x"))).usage == {}


@pytest.mark.parametrize(
    ("content", "reason", "text", "refusal"),
    [
        ([N(type="text", text="hi")], "end_turn", "hi", None),
        ([N(type="text", text="see"), N(type="tool_use", input={"a": 1})], "tool_use", '{"a": 1}', None),
        ([], "refusal", "", "the model declined"),
    ],
)
def test_anthropic_messages_are_read(content, reason, text, refusal):
    usage = N(input_tokens=4, output_tokens=2, cache_read_input_tokens=1)
    reply = reply_of(N(content=content, stop_reason=reason, usage=usage, model="c"))
    assert (reply.text, reply.finish_reason, reply.refusal) == (text, reason, refusal)
    assert reply.usage == {"inputTokens": 4, "outputTokens": 2, "totalTokens": 6, "cachedInputTokens": 1}


def test_google_responses_are_read():
    parts = [N(text="thinking", thought=True), N(function_call=N(args={"a": 1}), text=None)]
    candidate = N(content=N(parts=parts), finish_reason=N(name="MAX_TOKENS"))
    reply = reply_of(
        N(candidates=[candidate], usage_metadata=N(prompt_token_count=3, candidates_token_count=2), model_version="g")
    )
    assert (reply.text, reply.finish_reason, reply.model) == ('{"a": 1}', "MAX_TOKENS", "g")
    blocked = reply_of(N(candidates=[], usage_metadata=None))
    assert (blocked.text, blocked.finish_reason) == ("", "SAFETY")


def test_halves_of_characters_are_replaced():
    assert whole("a\ud83db") == "a\ufffdb"
    assert whole("a\U0001f600b") == "a\U0001f600b"
