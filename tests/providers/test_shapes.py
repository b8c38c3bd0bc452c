"""Completions, failures and messages of providers by their shape, without their libraries."""

from types import SimpleNamespace

import pytest

from scorerkit.judge.completion import reply_of
from scorerkit.judge.dialects import put_schema, spoken
from scorerkit.judge.failure import normalise
from scorerkit.judge.format import schema_format, score_format
from scorerkit.judge.outcomes import of_reply
from scorerkit.model.judge import Message

USED = {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}


def thing(**fields):
    return SimpleNamespace(**fields)


def converse(*content, reason="end_turn"):
    return {"output": {"message": {"role": "assistant", "content": list(content)}}, "stopReason": reason, "usage": USED}


def gemini(reason, *parts):
    content = thing(parts=list(parts)) if parts else None
    return thing(candidates=[thing(content=content, finish_reason=thing(name=reason))], usage_metadata=None)


def chat(content, calls=None):
    message = thing(content=content, tool_calls=calls, refusal=None)
    return thing(choices=[thing(message=message, finish_reason="stop")], usage=None, model="m")


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        (converse({"text": "a"}, {"text": "b"}), "a\nb"),
        (converse({"reasoningContent": {}}, {"toolUse": {"name": "s", "input": {"score": 1}}}), '{"score": 1}'),
        (converse(), ""),
        (gemini("STOP", thing(text="a", function_call=None)), "a"),
        (gemini("STOP", thing(text="thinking", thought=True), thing(text="a")), "a"),
        (gemini("STOP", thing(text=None, function_call=thing(args={"score": 1}))), '{"score": 1}'),
        (gemini("MALFORMED_FUNCTION_CALL"), ""),
        (chat([thing(type="thinking", thinking=[]), thing(type="text", text="a")]), "a"),
        (chat("", [thing(function=thing(arguments={"score": 1}))]), '{"score": 1}'),
        (chat(None), ""),
    ],
)
def test_the_text_of_a_completion_is_found_by_its_shape(completion, text):
    assert reply_of(completion).text == text


@pytest.mark.parametrize(
    ("completion", "code"),
    [
        (thing(candidates=None, usage_metadata=None, prompt_feedback=thing(block_reason="SAFETY")), "refused"),
        (gemini("SAFETY"), "refused"),
        (gemini("MAX_TOKENS", thing(text='{"score": 1}')), "truncated"),
        (converse({"text": "x"}, reason="max_tokens"), "truncated"),
        (converse({"text": "x"}, reason="guardrail_intervened"), "refused"),
        (converse({"text": "x"}, reason="content_filtered"), "refused"),
    ],
)
def test_an_ending_that_must_not_be_read_is_seen(completion, code):
    assert of_reply(reply_of(completion), "analyze").code == code


class FromGoogle(Exception):
    def __init__(self, code, status, *details):
        super().__init__(f"{code} {status}.")
        self.code, self.status, self.message = code, status, "it failed"
        self.details = {"error": {"code": code, "status": status, "message": "it failed", "details": list(details)}}


class FromAws(Exception):
    def __init__(self, status, code, **headers):
        super().__init__(f"An error occurred ({code})")
        metadata = {"HTTPStatusCode": status, "HTTPHeaders": headers}
        self.response = {"Error": {"Code": code, "Message": "it failed"}, "ResponseMetadata": metadata}


@pytest.mark.parametrize(
    ("error", "kind", "status", "wait"),
    [
        (FromGoogle(429, "RESOURCE_EXHAUSTED", {"retryDelay": "13.5s"}), "rate-limit", 429, 13_500),
        (FromGoogle(429, "RESOURCE_EXHAUSTED", {"retryDelay": "soon"}, "x"), "rate-limit", 429, None),
        (FromGoogle(400, "INVALID_ARGUMENT", {"reason": "API_KEY_INVALID"}), "auth", 400, None),
        (FromGoogle(400, "INVALID_ARGUMENT"), "rejected", 400, None),
        (FromGoogle(404, "NOT_FOUND"), "unknown-model", 404, None),
        (FromGoogle(503, "UNAVAILABLE"), "server", 503, None),
        (FromAws(429, "ThrottlingException", **{"retry-after": "2"}), "rate-limit", 429, 2000),
        (FromAws(403, "AccessDeniedException"), "auth", 403, None),
        (FromAws(404, "ResourceNotFoundException"), "unknown-model", 404, None),
        (FromAws(500, "InternalServerException"), "server", 500, None),
        (FromAws(400, "ValidationException"), "rejected", 400, None),
    ],
)
def test_failures_of_google_and_aws_are_understood(error, kind, status, wait):
    failure = normalise(error)
    assert (failure.kind, failure.status, failure.retry_after_ms, failure.message) == (kind, status, wait, "it failed")


SAID = (Message("system", "Grade {{ it }}."), Message("user", "x"), Message("assistant", "y"), Message("user", "z"))


def test_google_has_another_word_for_the_assistant_and_the_system_message_apart():
    told = spoken("google", SAID, {})
    assert told["system"] == "Grade {{ it }}."
    assert [message["role"] for message in told["messages"]] == ["user", "model", "user"]
    assert "system" not in spoken("google", SAID[1:], {})


@pytest.mark.parametrize("family", ["anthropic", "mistral", "bedrock", "other"])
def test_all_others_get_the_messages_as_they_are(family):
    told = spoken(family, SAID, {"top_p": 1})
    assert [(m["role"], m["content"]) for m in told["messages"]] == [tuple(m) for m in SAID]
    assert told["top_p"] == 1


def test_what_an_author_puts_into_extra_stays_beside_the_messages():
    told = spoken("openai", SAID[1:2], {"extra_body": {"min_p": 0.1}})
    assert told["extra_body"] == {"messages": [{"role": "user", "content": "x"}], "min_p": 0.1}


def test_what_strict_mode_cannot_say_is_not_asked_for_strictly_nor_closed():
    form = schema_format("a", {"type": "object", "properties": {"m": {"type": "object"}}})
    live = {"response_format": {"json_schema": {"name": "a", "schema": {}, "strict": True}}}
    put_schema(form, {}, live)
    assert live["response_format"]["json_schema"] == {
        "name": "a",
        "schema": {**form.wire, "title": "a"},
        "strict": False,
    }


def test_a_request_without_a_schema_of_ours_stays_as_it_is():
    live = {"response_format": {"type": "text"}, "messages": []}
    put_schema(score_format(), {}, live)
    assert live == {"response_format": {"type": "text"}, "messages": []}
