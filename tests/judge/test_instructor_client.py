"""The real instructor and the real SDK against a server on the loopback address; requests are counted there."""

import asyncio
import email.utils
import sys
import time

import pytest
from judge_loopback import CUT, HANG, Loopback, fail, say

from scorerkit.errors import MissingKey, ScorerkitError
from scorerkit.judge import build_processor, open_judge, schema_format, score_format
from scorerkit.model.judge import JudgeConfig, JudgeError, Question, Target

SCORE = score_format(0, 1)
OK = say('{"score": 0.5}')
TEMPLATE = "Grade {{ 7*7 }} {% raw %} it. \u65e5\u672c"
VERDICTS = schema_format(
    "analyze",
    {
        "type": "object",
        "properties": {
            "verdicts": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {
                        "verdict": {"enum": ["yes", "no"]},
                        "note": {"type": "string"},
                        "weight": {"oneOf": [{"type": "number", "minimum": 0}, {"$ref": "#/$defs/w"}]},
                    },
                    "required": ["verdict"],
                },
            }
        },
        "required": ["verdicts"],
        "$defs": {"w": {"type": "object", "properties": {"x": {"type": "integer"}}}},
    },
)


def retries(count=2, **options):
    return (build_processor("error", "streamErrorRetry", {"maxRetries": count, "delayMs": 1, **options}),)


async def ask(judge, server, *, form=SCORE, run_id="r1", prompt=TEMPLATE, target=None, **config):
    config = {"error_processors": retries(), **config}
    judged = JudgeConfig(target or Target("openai", "judge-1", base_url=server.url), **config)
    return await judge.ask(Question(run_id, "generateScore", prompt, judged, "You grade.", form))


def once(server, **how):
    """One question on a fresh judge: the answer, or the error."""

    async def main():
        judge = open_judge()
        try:
            return await ask(judge, server, **how)
        except JudgeError as error:
            return error
        finally:
            await judge.close()

    return asyncio.run(main())


@pytest.mark.parametrize("injection", ["inline", "system", "native"])
def test_a_score_is_one_request(injection):
    with Loopback(OK) as server:
        answer = once(server, injection=injection)
    assert answer.value == {"score": 0.5}
    assert answer.execution["judgeModelId"] == "judge-1-0613"
    assert answer.execution["usage"] == {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}
    assert len(server.requests) == 1


@pytest.mark.parametrize("injection", ["inline", "native"])
def test_judged_text_is_never_rendered_as_a_template(injection):
    with Loopback(OK) as server:
        once(server, injection=injection)
    assert server.requests[0]["messages"][1]["content"].startswith(TEMPLATE)


def test_injection_sends_nothing_but_messages_and_model():
    with Loopback(OK) as server:
        once(server, injection="inline")
    assert set(server.requests[0]) == {"messages", "model"}


def test_native_output_is_asked_for_strictly_with_the_adapted_schema():
    reply = say(
        '{"verdicts": [{"verdict": "yes", "note": null, "weight": null}, {"verdict": "no", "note": "w", "weight": "2"}]}'
    )
    with Loopback(reply, strict=True) as server:
        answer = once(server, form=VERDICTS, injection="native")
    assert answer.value == {"verdicts": [{"verdict": "yes"}, {"verdict": "no", "note": "w", "weight": 2}]}
    asked = server.requests[0]["response_format"]["json_schema"]
    assert asked["strict"] is True
    assert asked["name"] == "analyze"
    assert "$defs" in asked["schema"]
    assert [m["content"] for m in server.requests[0]["messages"]] == ["You grade.", TEMPLATE]


def test_what_strict_mode_cannot_say_is_sent_natively_without_it():
    form = schema_format("a", {"type": "object", "properties": {"m": {"type": "object"}}})
    with Loopback(say('{"m": {"k": 1}}')) as server:
        assert once(server, form=form, injection="native").value == {"m": {"k": 1}}
    assert "strict" not in server.requests[0]["response_format"]["json_schema"]


def test_a_provider_that_answers_by_tool_call(monkeypatch):
    monkeypatch.setenv("DEEPSEEK_API_KEY", "ds-test-000")
    with Loopback(OK) as server:
        target = Target("deepseek", "deepseek-chat", base_url=server.url)
        assert once(server, target=target, injection="native").value == {"score": 0.5}
    assert server.requests[0]["tools"][0]["function"]["name"] == "score"


def test_plain_text_is_asked_for_plainly():
    with Loopback(say(" Because. ")) as server:
        assert once(server, form=None, injection="native").value == "Because."
    assert set(server.requests[0]) == {"messages", "model"}


CASES = {
    "fence": ([say('```json\n{"score": 0.5}\n```')], "ok", 1),
    "format-once": ([say("none"), OK], "ok", 2),
    "empty-once": ([say(""), OK], "ok", 2),
    "format-twice": ([say("none")], "unusable-answer", 2),
    "no-choices": ([say("x", empty=True)], "unusable-answer", 2),
    "out-of-range": ([say('{"score": 9.5}')], "out-of-range", 2),
    "repeated-key": ([say('{"score": 1, "score": 0}')], "unusable-answer", 2),
    "not-a-number": ([say('{"score": NaN}')], "unusable-answer", 2),
    "truncated": ([say('{"score": 0.9, "rea', finish="length")], "truncated", 1),
    "refusal": ([say(None, refusal="I can't help.")], "refused", 1),
    "filtered": ([say("", finish="content_filter")], "refused", 1),
    "filtered-400": ([fail(400, "filtered", code="content_filter")], "refused", 1),
    "overflow": ([fail(400, "too long", code="context_length_exceeded")], "context-overflow", 1),
    "rejected": ([fail(400, "json_schema is not supported")], "judge-rejected", 1),
    "unprocessable": ([fail(422)], "judge-rejected", 1),
    "unauthorised": (
        [fail(401, "Incorrect API key provided: sk-test-000.", code="invalid_api_key")],
        "judge-rejected",
        1,
    ),
    "unknown-model": ([fail(404, code="model_not_found")], "judge-rejected", 1),
    "rate-limited": ([fail(429)], "judge-unavailable", 3),
    "server-error": ([fail(500)], "judge-unavailable", 3),
    "overloaded-once": ([fail(529), OK], "ok", 2),
    "disconnected": ([CUT], "judge-unavailable", 3),
    "told-not-to": ([fail(503, headers={"x-should-retry": "false"})], "judge-unavailable", 1),
    "told-to": ([fail(400, headers={"x-should-retry": "true"}), OK], "ok", 2),
    "error-then-format-then-error": ([fail(503), say("none"), fail(503), fail(503)], "judge-unavailable", 4),
}


@pytest.mark.parametrize("injection", ["inline", "native"])
@pytest.mark.parametrize(("replies", "code", "requests"), CASES.values(), ids=CASES)
def test_each_failure_has_its_code_and_its_number_of_requests(replies, code, requests, injection):
    with Loopback(*replies) as server:
        result = once(server, injection=injection)
    assert getattr(result, "code", "ok") == code
    assert len(server.requests) == requests
    assert result.execution["attemptCount"] == requests
    assert "sk-test-000" not in repr(vars(result) if isinstance(result, JudgeError) else result)


def test_a_judge_that_hangs_is_given_up_after_its_time_out():
    started = time.monotonic()
    with Loopback(HANG) as server:
        error = once(server, settings={"timeoutMs": 100}, error_processors=retries(1))
    assert error.code == "judge-unavailable"
    assert "no answer within 100 ms" in error.why
    assert len(server.requests) == 2
    assert time.monotonic() - started < 3


def test_no_error_processors_are_no_retries():
    with Loopback(fail(429, headers={"retry-after": "30"})) as server:
        assert once(server, error_processors=()).code == "judge-unavailable"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"retry-after-ms": "120", "retry-after": "20"}, 0.12, 1.5),
        ({"retry-after": "86400"}, 0.2, 1.5),
        ({"retry-after": lambda: email.utils.formatdate(time.time() + 60, usegmt=True)}, 0.2, 1.5),
    ],
)
def test_the_provider_s_wait_is_kept_up_to_its_cap(headers, least, most):
    told = {name: value() if callable(value) else value for name, value in headers.items()}
    with Loopback(fail(429, headers=told), OK) as server:
        assert once(server, error_processors=retries(1, maxRetryAfterMs=200)).value
    assert least <= server.times[1] - server.times[0] < most


def test_a_429_holds_back_all_requests_to_that_model():
    async def main(server):
        judge = open_judge()
        config = {"error_processors": retries(1)}
        first = asyncio.create_task(ask(judge, server, **config))
        await asyncio.to_thread(server.asked.wait, 5)
        await asyncio.sleep(0.05)
        await asyncio.gather(first, ask(judge, server, run_id="r2", **config))
        await judge.close()

    with Loopback(fail(429, headers={"retry-after-ms": "300"}), OK) as server:
        asyncio.run(main(server))
    assert min(server.times[1:]) - server.times[0] >= 0.28


def test_each_of_many_concurrent_questions_gets_its_own_answer():
    async def main(server):
        judge = open_judge()
        target = Target("openai", "judge-1", base_url=server.url)
        asked = [ask(judge, server, prompt=str(i), target=target, form=None) for i in range(40)]
        answers = await asyncio.gather(*asked)
        await judge.close()
        return [answer.value for answer in answers]

    class Echo(Loopback):
        def script(self, body, headers):
            super().script(body, headers)
            return say(body["messages"][-1]["content"])

    with Echo(OK) as server:
        assert asyncio.run(main(server)) == [str(i) for i in range(40)]


def test_settings_reach_the_provider():
    settings = {"temperature": 0, "topP": 0.5, "maxOutputTokens": 64, "seed": 7, "extra": {"min_p": 0.1}}
    with Loopback(OK) as server:
        once(server, settings=settings, injection="native")
        once(server, settings={"maxOutputTokens": 64}, target=Target("openai", "gpt-5-mini", base_url=server.url))
    sent = server.requests[0]
    assert (sent["temperature"], sent["top_p"], sent["max_tokens"], sent["seed"], sent["min_p"]) == (0, 0.5, 64, 7, 0.1)
    assert server.requests[1]["max_completion_tokens"] == 64


def test_key_and_headers_come_from_their_variables(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-mine-1")
    monkeypatch.setenv("TEAM", "team-777")
    with Loopback(OK) as server:
        once(
            server,
            target=Target("openai", "m", base_url=server.url, api_key_env="MY_KEY", headers_env={"x-team": "TEAM"}),
        )
    sent = {name.lower(): value for name, value in server.headers[0].items()}
    assert sent["authorization"] == "Bearer sk-mine-1"
    assert sent["x-team"] == "team-777"


def test_no_key_is_needed_where_the_profile_says_so(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with Loopback(OK) as server:
        assert once(server, target=Target("openai", "m", base_url=server.url, api_key_env="")).value


def test_the_sdk_s_own_address_variable_is_honoured(monkeypatch):
    with Loopback(OK) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert once(server, target=Target("openai", "m")).value


def test_a_missing_key_is_an_error_before_anything_is_sent(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with Loopback(OK) as server, pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        once(server)
    assert server.requests == []


@pytest.mark.parametrize(
    ("provider", "variable", "module", "package"),
    [
        ("anthropic", "ANTHROPIC_API_KEY", "anthropic", "scorerkit[anthropic]"),
        ("groq", "GROQ_API_KEY", "groq", "scorerkit[groq]"),
    ],
)
def test_a_missing_package_says_what_to_install(monkeypatch, provider, variable, module, package):
    monkeypatch.setenv(variable, "key-000")
    monkeypatch.setitem(sys.modules, module, None)
    with Loopback(OK) as server, pytest.raises(ScorerkitError, match=f"'{provider}' is not installed") as caught:
        once(server, target=Target(provider, "m"))
    assert f"pip install '{package}'" in caught.value.fix


def test_an_address_is_refused_where_the_provider_s_client_takes_none(monkeypatch):
    monkeypatch.setenv("GROQ_API_KEY", "key-000")
    with Loopback(OK) as server, pytest.raises(ScorerkitError, match="not supported for groq"):
        once(server, target=Target("groq", "m", base_url=server.url))


def test_instructor_says_nothing_of_its_own(capfd):
    with Loopback(fail(400, "secret text of the judge")) as server:
        once(server, injection="native")
    assert capfd.readouterr() == ("", "")


def test_one_client_serves_all_models_of_an_address():
    from scorerkit.judge.instructor_client import InstructorTransport
    from scorerkit.judge.secrets import Redactor

    async def main(server):
        transport = InstructorTransport(Redactor())
        for name in ("a", "b"):
            transport.prepare(Target("openai", name, base_url=server.url))
        transport.prepare(Target("openai", "a"))
        count = len(transport._clients)
        await transport.close()
        return count

    with Loopback(OK) as server:
        assert asyncio.run(main(server)) == 2


def test_a_request_under_way_can_be_cancelled():
    async def main(server):
        judge = open_judge()
        task = asyncio.create_task(ask(judge, server))
        await asyncio.to_thread(server.asked.wait, 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await judge.close()

    with Loopback(HANG) as server:
        asyncio.run(asyncio.wait_for(main(server), 3))
