from __future__ import annotations

import asyncio
import contextlib

import pytest

from scorerkit.judge.events import LoggedTransport
from scorerkit.judge.secrets import Redactor
from scorerkit.judge.transport import Reply, Request
from scorerkit.model.judge import JudgeError, Message, Target

REQUEST = Request(Target("openai", "judge"), (Message("user", "private text"),), None, False, {}, "r1", "analyze", 0)


class Inner:
    def __init__(self, outcome):
        self.outcome = outcome

    async def send(self, request):
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    async def close(self):
        pass


def events_of(outcome, redactor=None):
    events = []
    transport = LoggedTransport(Inner(outcome), redactor or Redactor(), events.append)
    with contextlib.suppress(Exception):
        asyncio.run(transport.send(REQUEST))
    return events


def test_an_answer_is_one_event_without_texts():
    (event,) = events_of(Reply("secret answer", "stop", usage={"inputTokens": 3}))
    assert event.pop("durationMs") >= 0
    assert event == {
        "event": "request",
        "runId": "r1",
        "step": "analyze",
        "sample": 0,
        "model": "openai/judge",
        "mode": "text",
        "status": "answered",
        "finishReason": "stop",
        "usage": {"inputTokens": 3},
    }


def test_a_failure_is_told_without_secrets():
    error = RuntimeError("Key sk-test-0001 is wrong")
    error.status_code = 401
    redactor = Redactor()
    redactor.learn("sk-test-0001")
    (event,) = events_of(error, redactor)
    assert (event["status"], event["httpStatus"], event["kind"]) == ("failed", 401, "auth")
    assert "sk-test-0001" not in event["message"]


def test_what_was_never_sent_is_no_event():
    assert events_of(JudgeError("not-recorded", "…")) == []


def test_the_failure_goes_on():
    transport = LoggedTransport(Inner(ValueError("x")), Redactor(), lambda _: None)
    with pytest.raises(ValueError, match="x"):
        asyncio.run(transport.send(REQUEST))
