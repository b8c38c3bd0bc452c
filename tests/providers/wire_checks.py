"""What every provider must do, with its real SDK; run by ``test_wires.py`` where that SDK is installed.

``SCORERKIT_CHECKED`` names the provider.
"""

import asyncio
import os
import threading
import time

import pytest
from wires import CUT, WIRES, Fail, Say, Server

from scorerkit.judge import build_processor, open_judge, schema_format, score_format
from scorerkit.model.judge import JudgeConfig, JudgeError, Question, Target

WIRE = WIRES[os.environ["SCORERKIT_CHECKED"]]
KEY = "key-of-mine-000111"
SCORE = score_format(0, 1)
OK = Say('{"score": 0.5}')
PROMPT = "Grade {{ 7*7 }} {% raw %} it. 日本"
INSTRUCTIONS = "You grade {{ this }}."
VERDICTS = schema_format(
    "analyze",
    {
        "type": "object",
        "properties": {
            "verdict": {"enum": ["yes", "no"]},
            "note": {"type": "string"},
            "level": {"enum": [1, 2, 3]},
            "weight": {"oneOf": [{"type": "number", "minimum": 0}, {"$ref": "#/$defs/w"}]},
        },
        "required": ["verdict", "level"],
        "$defs": {"w": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}},
    },
)
INJECTIONS = ["native", "inline", "system"]


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")) or name.startswith(("AWS_", "GOOGLE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv(WIRE.variable, KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", f"secret-{KEY}")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("OPENAI_API_VERSION", "2024-10-21")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def retries(count=2, **options):
    return (build_processor("error", "streamErrorRetry", {"maxRetries": count, "delayMs": 1, **options}),)


async def ask(judge, server, *, form=SCORE, run_id="r1", prompt=PROMPT, instructions=INSTRUCTIONS, **config):
    config = {"error_processors": retries(), **config}
    judged = JudgeConfig(Target(WIRE.name, WIRE.model, base_url=server.url), **config)
    return await judge.ask(Question(run_id, "generateScore", prompt, judged, instructions, form))


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


@pytest.mark.parametrize("injection", INJECTIONS)
def test_a_score_is_one_request_with_its_usage(injection):
    with Server(WIRE, OK) as server:
        answer = once(server, injection=injection)
    assert getattr(answer, "value", answer) == {"score": 0.5}
    usage = answer.execution["usage"]
    assert (usage["inputTokens"], usage["outputTokens"], usage["totalTokens"]) == (10, 5, 15)
    assert answer.execution["judgeProvider"] == WIRE.name
    assert len(server.asked) == 1


@pytest.mark.parametrize("injection", INJECTIONS)
def test_the_texts_arrive_as_they_are(injection):
    with Server(WIRE, OK) as server:
        once(server, injection=injection)
    system, messages = WIRE.texts(server.asked[0].body)
    assert system.strip().startswith(INSTRUCTIONS)
    [(role, text)] = messages
    assert role == "user"
    assert text.startswith(PROMPT)
    assert ("JSON Schema" in system) == (injection == "system")
    assert ("JSON Schema" in text) == (injection == "inline")
    assert (WIRE.schema(server.asked[0].body) is not None) == (injection == "native")


def test_plain_text_is_asked_for_plainly_and_without_instructions():
    with Server(WIRE, Say(" Because. ")) as server:
        assert once(server, form=None, injection="native", instructions=None).value == "Because."
    assert WIRE.schema(server.asked[0].body) is None
    assert WIRE.texts(server.asked[0].body) == ("", [("user", PROMPT)])


@pytest.mark.parametrize("injection", INJECTIONS)
def test_a_rich_schema_goes_out_and_is_checked_when_the_answer_comes_back(injection):
    good, bad = Say('{"verdict": "yes", "level": 2, "weight": {"x": 1}}'), Say('{"verdict": "perhaps", "level": 2}')
    with Server(WIRE, bad, good) as server:
        answer = once(server, form=VERDICTS, injection=injection)
    assert getattr(answer, "value", answer) == {"verdict": "yes", "level": 2, "weight": {"x": 1}}
    assert len(server.asked) == 2
    if injection == "native":
        properties = WIRE.schema(server.asked[0].body)["properties"]
        assert properties["verdict"]["enum"] == ["yes", "no"]
        assert properties["level"]["enum"] == [1, 2, 3]
        assert set(properties) == {"verdict", "note", "level", "weight"}


def test_an_array_is_wrapped_for_the_wire_and_unwrapped_after():
    form = schema_format("analyze", {"type": "array", "items": {"type": "string"}})
    with Server(WIRE, Say('{"value": ["a", "b"]}')) as server:
        assert once(server, form=form, injection="native").value == ["a", "b"]


@pytest.mark.parametrize("injection", INJECTIONS)
def test_the_next_format_attempt_continues_the_conversation(injection):
    with Server(WIRE, Say('{"score": 7}'), OK) as server:
        assert getattr(once(server, injection=injection), "value", None) == {"score": 0.5}
    system, messages = WIRE.texts(server.asked[1].body)
    assert [role for role, _ in messages] == ["user", "assistant", "user"]
    assert "score was 7" in messages[2][1]
    assert ("JSON Schema" in system) == (injection != "inline")


@pytest.mark.parametrize("injection", ["native", "inline"])
@pytest.mark.parametrize("form", [SCORE, None], ids=["score", "text"])
def test_settings_arrive_in_every_mode(form, injection):
    given = {"temperature": 0.25, "maxOutputTokens": 64, "extra": WIRE.extra_setting}
    with Server(WIRE, OK) as server:
        assert not isinstance(once(server, form=form, injection=injection, settings=given), JudgeError)
    [extra] = WIRE.extra_setting.values()
    assert WIRE.settings(server.asked[0]) == (0.25, 64, extra)


CASES = {
    "truncated": ([Say('{"score": 0.9}', "length")], "truncated", 1),
    "refused": ([Say("I will not.", "refusal")], "refused", 1),
    "empty-once": ([Say(""), OK], "ok", 2),
    "misfit-twice": ([Say('{"score": "much"}')], "unusable-answer", 2),
    "rate-limited": ([Fail(429, kind="rate_limit_error")], "judge-unavailable", 3),
    "rate-limited-once": ([Fail(429, kind="ThrottlingException"), OK], "ok", 2),
    "server-error": ([Fail(500)], "judge-unavailable", 3),
    "overloaded-once": ([Fail(529, kind="overloaded_error"), OK], "ok", 2),
    "unavailable": ([Fail(503, kind="UNAVAILABLE")], "judge-unavailable", 3),
    "cut-off": ([CUT], "judge-unavailable", 3),
    "rejected": ([Fail(400, "no such parameter", kind="ValidationException")], "judge-rejected", 1),
    "too-long": ([Fail(400, "prompt is too long: 9 tokens > 8 maximum")], "context-overflow", 1),
    "unauthorised": ([Fail(401, f"invalid key {KEY}", kind="authentication_error")], "judge-rejected", 1),
    "forbidden": ([Fail(403, "no access", kind="AccessDeniedException")], "judge-rejected", 1),
    "unknown-model": ([Fail(404, "no such model", kind="not_found_error")], "judge-rejected", 1),
    "error-then-misfit-then-error": ([Fail(503), Say("none"), Fail(503)], "judge-unavailable", 4),
}


@pytest.mark.parametrize("injection", ["native", "inline"])
@pytest.mark.parametrize(("replies", "code", "requests"), CASES.values(), ids=CASES)
def test_each_failure_has_its_code_and_its_number_of_requests(replies, code, requests, injection):
    if any(isinstance(reply, Say) and reply.end not in WIRE.ends for reply in replies):
        pytest.skip("this provider does not end answers so")
    started = time.monotonic()
    with Server(WIRE, *replies) as server:
        result = once(server, injection=injection)
    assert time.monotonic() - started < 5
    assert getattr(result, "code", "ok") == code, result
    assert len(server.asked) == requests
    assert result.execution["attemptCount"] == requests
    assert KEY not in repr(vars(result) if isinstance(result, JudgeError) else result)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_no_record_would_survive_ends_the_experiment(status):
    with Server(WIRE, Fail(status, kind="AccessDeniedException")) as server:
        assert once(server).fatal


def test_a_secret_that_the_provider_echoes_is_hidden():
    with Server(WIRE, Say(f"Your key is {KEY}.")) as server:
        assert KEY not in repr(once(server, form=None))
    assert KEY in server.asked[0].headers[WIRE.key_header]


@pytest.mark.parametrize(("headers", "least"), [({"retry-after": "1"}, 0.2), ({"retry-after-ms": "150"}, 0.15)])
def test_the_wait_of_a_rate_limit_is_kept_up_to_its_cap(headers, least):
    with Server(WIRE, Fail(429, headers=headers), OK) as server:
        started = time.monotonic()
        assert once(server, error_processors=retries(1, maxRetryAfterMs=200)).value
    assert time.monotonic() - started >= least


def test_many_at_once_get_their_own_answers_and_are_under_way_together():
    class Echo(Server):
        together = threading.Barrier(8)

        def reply_to(self, asked):
            super().reply_to(asked)
            self.together.wait(10)
            return Say(WIRE.texts(asked.body)[1][-1][1])

    async def main(server):
        judge = open_judge()
        answers = await asyncio.gather(*(ask(judge, server, prompt=f"question {i}", form=None) for i in range(8)))
        await judge.close()
        return [answer.value for answer in answers]

    with Echo(WIRE, OK) as server:
        assert asyncio.run(main(server)) == [f"question {i}" for i in range(8)]


def test_a_time_out_bounds_the_whole_request():
    class Slow(Server):
        def reply_to(self, asked):
            super().reply_to(asked)
            time.sleep(0.5)
            return OK

    with Slow(WIRE, OK) as server:
        error = once(server, settings={"timeoutMs": 100}, error_processors=())
    assert error.code == "judge-unavailable"
    assert "100 ms" in error.why


@pytest.mark.skipif(WIRE.name != "azure_openai", reason="only Azure")
def test_azure_is_asked_by_deployment_and_version():
    with Server(WIRE, OK) as server:
        once(server)
    assert server.asked[0].path == "/openai/deployments/gpt-4o-mini/chat/completions?api-version=2024-10-21"


@pytest.mark.skipif(WIRE.name != "google", reason="only Google")
def test_google_says_in_other_words_what_others_say():
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.150s"}]
    reason = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
    with Server(WIRE, Fail(400, "API key not valid.", kind="INVALID_ARGUMENT", more={"details": reason})) as server:
        assert once(server).fatal
    with Server(WIRE, Say(None)) as server:
        assert once(server).code == "refused"
    with Server(WIRE, Fail(429, kind="RESOURCE_EXHAUSTED", more={"details": details}), OK) as server:
        started = time.monotonic()
        assert once(server).value
        assert time.monotonic() - started >= 0.15


@pytest.mark.skipif(WIRE.name != "google", reason="only Google")
@pytest.mark.parametrize("injection", INJECTIONS)
def test_google_filters_as_it_does_by_itself_whatever_the_mode(injection):
    with Server(WIRE, OK) as server:
        once(server, injection=injection)
    assert not server.asked[0].body.get("safetySettings")
