import asyncio
import json
from pathlib import Path

import pytest

from scorerkit.errors import MissingKey
from scorerkit.judge.format import levels_format, schema_format, score_format
from scorerkit.judge.generation import Generation
from scorerkit.judge.processors import Refuse, Retry, build_processor
from scorerkit.judge.secrets import Redactor
from scorerkit.judge.transport import Reply
from scorerkit.model.judge import Answer, JudgeConfig, JudgeError, Question, Target

SCORE = score_format(0, 1)
OK = Reply('{"score": 0.5}', "stop", usage={"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}, model="judge-1-x")
VECTORS = Path(__file__).parent / "vectors" / "retry.jsonl"


class ApiError(Exception):
    def __init__(self, status, message="it failed", headers=None, **body):
        super().__init__(message)
        self.status_code = status
        self.body = {"message": message, **body}
        self.headers = headers or {}


class Scripted:
    """A transport that gives replies, or raises them, in turn; the last one again and again."""

    def __init__(self, *script):
        self.script = list(script)
        self.requests = []

    async def send(self, request):
        self.requests.append(request)
        reply = self.script[min(len(self.requests), len(self.script)) - 1]
        if isinstance(reply, BaseException):
            raise reply
        return Reply(reply, "stop") if isinstance(reply, str) else reply

    async def close(self):
        pass


def retries(count, **options):
    return (build_processor("error", "streamErrorRetry", {"maxRetries": count, **options}),)


def ask(transport, *, form=SCORE, target=None, redactor=None, cache=None, instructions="You grade.", **config):
    judge = JudgeConfig(target or Target("openai", "judge-1"), **config)
    question = Question("r1", "generateScore", "Grade it.", judge, instructions, form)
    return asyncio.run(Generation(question, transport, redactor or Redactor(), cache).run())


def fails(transport, code, **how):
    with pytest.raises(JudgeError) as caught:
        ask(transport, **how)
    assert caught.value.code == code
    return caught.value


def test_a_good_answer_carries_its_execution_record():
    answer = ask(Scripted(OK))
    assert answer.value == {"score": 0.5}
    assert answer.execution.pop("durationMs") >= 0
    assert answer.execution == {
        "status": "success",
        "prompt": "Grade it.",
        "output": {"score": 0.5},
        "finishReason": "stop",
        "judgeModelId": "judge-1-x",
        "judgeProvider": "openai",
        "usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15},
        "attemptCount": 1,
        "cached": False,
    }


def test_plain_text_is_stripped_and_blank_text_is_asked_again():
    transport = Scripted("  ", " Because.\n")
    assert ask(transport, form=None).value == "Because."
    assert len(transport.requests) == 2
    assert all(not request.native and request.mode == "text" for request in transport.requests)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("no json", "holds no JSON"),
        ("", "was empty"),
        ('{"score": null}', "score was null"),
        ('{"score": true}', "score was true"),
        ('{"score": 9.5}', "score was 9.5"),
        ('{"score": NaN}', "NaN"),
        ('{"score": 1} {"score": 0}', "two different"),
    ],
)
def test_an_unusable_answer_is_asked_again_once_and_told_what_was_wrong(bad, told):
    transport = Scripted(bad, OK)
    assert ask(transport).execution["attemptCount"] == 2
    first, second = (request.messages for request in transport.requests)
    assert second[: len(first)] == first
    assert told in second[-1].content


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("I cannot.", "the answer holds no JSON; it began 'I cannot.'"),
        (" \n" + "x" * 101, f"the answer holds no JSON; it began '{'x' * 100}…'"),
        ("a\n\x1b[31mb\u202e", "the answer holds no JSON; it began 'a\\n\\x1b[31mb\\u202e'"),
        ("My key is sk-abcdefgh12345678.", "the answer holds no JSON; it began 'My key is [secret].'"),
        ("", "the answer was empty"),
        ('{"score": null}', "score was null; it must be a number"),
    ],
)
def test_what_the_judge_said_is_shown_where_it_could_not_be_read(bad, why):
    with pytest.raises(JudgeError) as raised:
        ask(Scripted(bad, bad))
    assert (raised.value.code, raised.value.why) == ("unusable-answer", why)


def test_usage_and_cost_are_summed_over_attempts():
    spent = Reply("none", "stop", usage={"inputTokens": 3, "reasoningTokens": 2}, cost=0.5)
    execution = ask(Scripted(spent, OK._replace(cost=0.25))).execution
    assert execution["usage"] == {"inputTokens": 13, "reasoningTokens": 2, "outputTokens": 5, "totalTokens": 15}
    assert execution["cost"] == {"amount": 0.75, "unit": "USD", "source": "provider"}


def test_what_stays_unusable_keeps_the_last_raw_answer():
    transport = Scripted("none", "still none")
    error = fails(transport, "unusable-answer")
    assert error.message == "the judge gave no usable answer for generateScore (2 attempts)"
    assert "no JSON" in error.why
    assert error.execution["rawOutput"] == "still none"
    assert error.execution["status"] == "failed"
    assert error.execution["error"]["code"] == "unusable-answer"


def test_a_score_that_stays_out_of_range_has_its_own_code_and_names_the_value():
    assert "9.5" in fails(Scripted('{"score": 9.5}'), "out-of-range").message


@pytest.mark.parametrize("format_retries", [0, 1, 3])
def test_format_attempts_are_counted(format_retries):
    transport = Scripted("none")
    fails(transport, "unusable-answer", format_retries=format_retries)
    assert len(transport.requests) == 1 + format_retries


@pytest.mark.parametrize(
    ("injection", "places"),
    [
        ("native", [(True, set()), (False, {"system"})]),
        ("system", [(False, {"system"}), (False, {"system"})]),
        ("inline", [(False, {"user"}), (False, {"user"})]),
        ("auto", [(False, {"user"}), (False, {"user"})]),
    ],
)
def test_further_attempts_inject_the_schema_as_the_first_did_or_into_the_system_message(injection, places):
    transport = Scripted("none", OK)
    ask(transport, injection=injection)
    seen = [(r.native, {m.role for m in r.messages if "JSON Schema" in m.content}) for r in transport.requests]
    assert seen == places


def test_an_array_asked_for_natively_may_come_back_bare_after_injection():
    form = schema_format("analyze", {"type": "array", "items": {"type": "string"}})
    assert ask(Scripted("none", '["a"]'), form=form, injection="native").value == ["a"]
    assert ask(Scripted('{"value": ["a"]}'), form=form, injection="native").value == ["a"]


@pytest.mark.parametrize(
    ("reply", "code", "told"),
    [
        (Reply('{"score": 0.9, "rea', "length"), "truncated", "maxOutputTokens"),
        (Reply('{"score": 0.9}', "MAX_TOKENS"), "truncated", "maxOutputTokens"),
        (Reply("", "stop", "I can't help with that."), "refused", "I can't help"),
        (Reply("", "content_filter"), "refused", "content_filter"),
        (Reply("", "model_context_window_exceeded"), "context-overflow", "maxInputCharacters"),
        (ApiError(400, "maximum context length is 8"), "context-overflow", "maximum context length is 8"),
        (ApiError(400, "filtered", code="content_filter"), "refused", "filtered"),
        (ApiError(400, "no such parameter"), "judge-rejected", "HTTP 400"),
        (ApiError(422), "judge-rejected", "HTTP 422"),
    ],
)
def test_what_another_attempt_cannot_cure_is_never_asked_again(reply, code, told):
    transport = Scripted(reply)
    error = fails(transport, code, error_processors=retries(3))
    assert told in f"{error.message} {error.why} {error.fix}"
    assert len(transport.requests) == 1
    assert not error.fatal


def test_the_text_of_a_cut_answer_and_of_a_refusal_are_kept():
    assert fails(Scripted(Reply('{"sc', "length")), "truncated").execution["rawOutput"] == '{"sc'
    assert fails(Scripted(Reply("", "stop", "No.")), "refused").execution["rawOutput"] == "No."


@pytest.mark.parametrize(("status", "code"), [(401, None), (403, None), (404, None), (400, "model_not_found")])
def test_a_refused_key_or_unknown_model_is_fatal(status, code):
    transport = Scripted(ApiError(status, code=code))
    error = fails(
        transport, "judge-rejected", error_processors=retries(3, retryUnknownErrors=True), max_processor_retries=0
    )
    assert error.fatal
    assert str(status) in error.message


@pytest.mark.parametrize("status", [429, 500, 503, 529, 408, 409])
def test_what_never_clears_is_unavailable_with_attempts_and_last_cause(status):
    transport = Scripted(ApiError(status, "try later"))
    error = fails(transport, "judge-unavailable", error_processors=retries(2))
    assert len(transport.requests) == 3
    assert "3 attempts" in error.message
    assert error.why == f"the last cause was HTTP {status}: try later"
    assert error.execution["attemptCount"] == 3
    assert "rawOutput" not in error.execution


ROWS = [row for row in map(json.loads, VECTORS.read_text().splitlines()) if row["function"] == "judgeRetry"]


def config_of(row):
    def build(judge):
        processors = [
            build_processor(
                "error",
                "streamErrorRetry",
                {**options, "matchers": [{"status": [400]}] * len(options.get("matchers", ()))},
            )
            for options in judge.get("errorProcessors", ())
        ]
        return {"error_processors": tuple(processors), "max_processor_retries": judge.get("maxProcessorRetries", 10)}

    steps = row["steps"] or ["generateScore"]
    return [build({**row["judge"], **(step.get("judge", {}) if isinstance(step, dict) else {})}) for step in steps]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_whole_runs_send_as_many_requests_as_the_reference(row):
    script = {"ok": OK, "bad-json": "no json", "bad-schema": '{"x": 1}', "plain-error": ValueError("boom")}
    replies = [script.get(b) or ApiError(b) for b in row["behaviour"]] + [OK]
    sent, failed = 0, False
    for config in config_of(row):
        transport = Scripted(*replies[sent:])
        try:
            ask(transport, **config)
        except JudgeError:
            failed = True
        sent += len(transport.requests)
    assert (sent, failed) == (row["requests"], row["fails"])


@pytest.mark.parametrize(
    ("max_retries", "cap", "format_retries", "script"),
    [
        (2, 10, 1, ["none", 503]),
        (5, 1, 2, [503, "none", "none", 503]),
        (1, 10, 1, [503, "none", 503]),
        (0, 0, 0, [503]),
    ],
)
def test_requests_never_exceed_one_plus_retries_plus_format_attempts(max_retries, cap, format_retries, script):
    transport = Scripted(*(s if isinstance(s, str) else ApiError(s) for s in script))
    with pytest.raises(JudgeError):
        ask(transport, error_processors=retries(max_retries), max_processor_retries=cap, format_retries=format_retries)
    assert len(transport.requests) <= 1 + min(max_retries, cap) + format_retries


def test_input_processors_run_in_order_and_the_record_keeps_what_was_sent():
    first = build_processor("input", lambda messages: [{**m, "content": m["content"] + " 1"} for m in messages])
    second = build_processor("input", "redact", {"patterns": ["Grade"]})
    transport = Scripted(OK)
    answer = ask(transport, input_processors=(first, second))
    assert answer.execution["prompt"] == "[redacted] it. 1"
    assert transport.requests[0].messages[0].content == "You grade. 1"


def test_output_processors_get_the_raw_text_and_may_give_json():
    labels = build_processor("output", "mapLabels", {"labels": {"PASS": 1, "FAIL": 0}})
    transport = Scripted("PASS or FAIL", "FAIL")
    assert ask(transport, output_processors=(labels,)).value == {"score": 0}
    assert "exactly one label" in transport.requests[1].messages[-1].content
    upper = build_processor("output", lambda answer: answer.upper())
    assert ask(Scripted("because"), form=None, output_processors=(upper,)).value == "BECAUSE"
    number = build_processor("output", lambda answer: 5)
    assert "text was wanted" in fails(Scripted("x"), "unusable-answer", form=None, output_processors=(number,)).why


def broken(**_):
    msg = "boom sk-secret-1"
    raise ValueError(msg)


def refusing(**_):
    msg = "holds a name"
    raise Refuse(msg)


@pytest.mark.parametrize(
    ("kind", "function", "code"),
    [
        ("input", broken, "step-failed"),
        ("output", broken, "step-failed"),
        ("error", broken, "step-failed"),
        ("input", refusing, "refused-by-processor"),
        ("output", refusing, "refused-by-processor"),
        ("error", refusing, "refused-by-processor"),
    ],
)
def test_a_processor_that_raises_fails_the_record(kind, function, code):
    redactor = Redactor()
    redactor.learn("sk-secret-1")
    transport = Scripted(ApiError(503) if kind == "error" else OK)
    error = fails(transport, code, redactor=redactor, **{f"{kind}_processors": (build_processor(kind, function),)})
    assert "sk-secret-1" not in error.message
    assert len(transport.requests) == (0 if kind == "input" else 1)
    assert (error.execution is None) is (kind == "input")


def test_the_first_error_processor_that_says_retry_wins():
    asked = []

    def counting(retry_count):
        asked.append(retry_count)
        return Retry(0) if retry_count == 0 else None

    transport = Scripted(ApiError(418))
    fails(transport, "judge-rejected", error_processors=(*retries(0), build_processor("error", counting)))
    assert asked == [0, 1]
    assert len(transport.requests) == 2


def test_a_prompt_far_above_a_known_window_is_not_sent():
    transport = Scripted(OK)
    error = fails(transport, "context-overflow", target=Target("openai", "m", context_window=3))
    assert transport.requests == []
    assert error.execution is None
    assert ask(transport, target=Target("openai", "m", context_window=5)).value


def test_prices_of_the_profile_give_the_cost_and_unknown_prices_give_none():
    priced = Target("openai", "m", input_price=1.0, output_price=2.0)
    assert ask(Scripted(OK), target=priced).execution["cost"] == {"amount": 20e-6, "unit": "USD", "source": "profile"}
    assert "cost" not in ask(Scripted(OK)).execution
    assert "cost" not in ask(Scripted(OK._replace(usage=None)), target=priced).execution


def test_a_secret_that_is_echoed_is_hidden():
    redactor = Redactor()
    redactor.learn("sk-secret-1")
    answer = ask(Scripted("My key is sk-secret-1."), form=None, redactor=redactor)
    assert "sk-secret-1" not in repr(answer)
    assert "sk-secret-1" not in repr(
        vars(fails(Scripted(ApiError(403, "sk-secret-1 refused")), "judge-rejected", redactor=redactor))
    )


def test_errors_of_configuration_pass_through():
    with pytest.raises(MissingKey):
        ask(Scripted(MissingKey("X is not set")), error_processors=retries(5))


def test_a_cancelled_wait_ends_at_once():
    async def main():
        judge = JudgeConfig(Target("openai", "m"), error_processors=retries(1, delayMs=60_000))
        question = Question("r1", "generateScore", "Grade it.", judge, None, SCORE)
        task = asyncio.create_task(Generation(question, Scripted(ApiError(503)), Redactor(), None).run())
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(main(), 1))


class Kept:
    def __init__(self):
        self.replies = {}

    async def get(self, digest):
        return self.replies.get(digest)

    async def put(self, digest, model, reply):
        self.replies[digest] = reply


def test_usable_answers_are_kept_and_come_back_without_a_request():
    cache, transport = Kept(), Scripted("none", OK)
    assert ask(transport, cache=cache).execution["cached"] is False
    assert len(cache.replies) == 1
    again = Scripted("none")
    answer = ask(again, cache=cache)
    assert isinstance(answer, Answer)
    assert (answer.execution["cached"], answer.execution["attemptCount"]) == (True, 1)
    assert len(again.requests) == 1  # the unusable first answer was not kept


def test_levels_give_label_and_reasoning():
    form = levels_format({"good": (1, "polite"), "bad": (0, None)})
    answer = ask(Scripted('{"reasoning": "kind words", "label": "good"}'), form=form)
    assert answer.value == {"reasoning": "kind words", "label": "good"}
