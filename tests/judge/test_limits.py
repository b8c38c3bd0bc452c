from __future__ import annotations

import asyncio

import pytest

from scorerkit.errors import ScorerkitError
from scorerkit.judge.limits import LimitedTransport, Limits
from scorerkit.judge.transport import Reply, Request
from scorerkit.model.judge import USED_UP, JudgeError, Message, Target


class Inner:
    def __init__(self, **reply):
        self.sent = 0
        self.reply = reply

    async def send(self, request):
        self.sent += 1
        return Reply("ok", usage={"inputTokens": 1000, "outputTokens": 100}, **self.reply)

    async def close(self):
        pass


def request(model="gpt-4o-mini", **target):
    return Request(Target("openai", model, **target), (Message("user", "q"),), None, False, {}, "r", "analyze", 0)


def send(transport, asked, times):
    async def main():
        for _ in range(times):
            await transport.send(asked)

    asyncio.run(main())


def test_no_more_requests_than_allowed_are_sent():
    inner = Inner()
    limited = LimitedTransport(inner, Limits(max_requests=3))
    with pytest.raises(JudgeError) as refused:
        send(limited, request(), 9)
    assert (inner.sent, refused.value.code, refused.value.fatal) == (3, USED_UP, True)


def test_a_budget_ends_when_it_is_spent():
    inner = Inner()
    limited = LimitedTransport(inner, Limits(budget=0.0005))  # one request costs 0.00015 + 0.00006 USD
    with pytest.raises(JudgeError) as refused:
        send(limited, request(), 9)
    assert (inner.sent, refused.value.code) == (3, USED_UP)
    assert limited._limits.spent == pytest.approx(3 * 0.00021)


def test_a_budget_without_a_price_is_refused_before_the_first_record():
    known, unknown = Target("openai", "gpt-4o-mini"), Target("openai", "unknown")
    Limits(budget=1).require_prices([known])
    Limits(max_requests=1).require_prices([unknown])
    with pytest.raises(ScorerkitError, match="price of openai/unknown is not known") as refused:
        Limits(budget=1).require_prices([known, unknown, unknown])
    assert "inputPrice" in refused.value.fix


def test_a_budget_without_a_price_is_refused_before_anything_is_sent():
    inner = Inner()
    with pytest.raises(JudgeError, match="price of openai/unknown is not known") as refused:
        send(LimitedTransport(inner, Limits(budget=1)), request("unknown"), 1)
    assert (inner.sent, refused.value.fatal) == (0, True)


def test_the_price_of_the_profile_counts():
    limited = LimitedTransport(Inner(), Limits(budget=10))
    send(limited, request("unknown", input_price=1000.0, output_price=0.0), 2)
    assert limited._limits.spent == pytest.approx(2.0)


def test_recorded_answers_cost_nothing():
    limited = LimitedTransport(Inner(recorded="replay"), Limits(budget=0.0001))
    send(limited, request(), 5)
    assert limited._limits.spent == 0
