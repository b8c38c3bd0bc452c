import asyncio
import time

import pytest

from scorerkit.judge.pace import Pacer
from scorerkit.model.judge import Target


def timed(pacer, count, *, during=0.0):
    """Seconds after which each of ``count`` concurrent turns began, and the most that were under way at once."""
    active, peak, starts = 0, 0, []

    async def one(started):
        nonlocal active, peak
        async with pacer.turn():
            starts.append(time.monotonic() - started)
            active, peak = active + 1, max(peak, active + 1)
            await asyncio.sleep(during)
            active -= 1

    async def main():
        started = time.monotonic()
        await asyncio.gather(*(one(started) for _ in range(count)))

    asyncio.run(main())
    return starts, peak


def test_without_limits_all_go_at_once():
    starts, peak = timed(Pacer(Target("openai", "m")), 10, during=0.01)
    assert max(starts) < 0.1
    assert peak == 10


def test_at_most_so_many_are_under_way():
    assert timed(Pacer(Target("openai", "m", max_concurrency=2)), 6, during=0.005)[1] == 2


def test_requests_are_spread_over_the_minute():
    starts, _ = timed(Pacer(Target("openai", "m", requests_per_minute=3000)), 5)
    assert starts[-1] == pytest.approx(0.08, abs=0.05)


def test_a_pause_holds_back_all_and_is_never_shortened():
    pacer = Pacer(Target("openai", "m"))
    pacer.hold(100)
    pacer.hold(1)
    assert min(timed(pacer, 3)[0]) >= 0.08


def test_tokens_are_earned_back_before_the_next_request():
    pacer = Pacer(Target("openai", "m", tokens_per_minute=60_000))
    assert max(timed(pacer, 1)[0]) < 0.05
    pacer.spend(100)
    assert min(timed(pacer, 1)[0]) >= 0.08
