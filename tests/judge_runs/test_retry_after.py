"""What a provider may say about how long to wait, and how long the next request is then away."""

import asyncio
import email.utils
import time

import pytest

from scorerkit.judge import build_processor, open_judge, score_format
from scorerkit.model.judge import JudgeConfig, Question, Target

CAP_MS = 250


def in_seconds(seconds):
    return email.utils.formatdate(time.time() + seconds, usegmt=True)


CASES = {
    "seconds": ({"retry-after": "1"}, 0.25, 0.9),
    "no seconds": ({"retry-after": "0"}, 0, 0.2),
    "milliseconds": ({"retry-after-ms": "120"}, 0.12, 0.24),
    "milliseconds before seconds": ({"retry-after": "9", "retry-after-ms": "120"}, 0.12, 0.24),
    "a date": ({"retry-after": in_seconds(3600)}, 0.25, 0.9),
    "beyond the cap": ({"retry-after": "86400"}, 0.25, 0.9),
    "beyond all reason": ({"retry-after": "9" * 400}, 0, 0.2),
    "a date in the past": ({"retry-after": in_seconds(-3600)}, 0, 0.2),
    "negative": ({"retry-after": "-5"}, 0, 0.2),
    "a fraction": ({"retry-after": "1.5"}, 0, 0.2),
    "an exponent": ({"retry-after": "1e9"}, 0, 0.2),
    "words": ({"retry-after": "soon"}, 0, 0.2),
    "nothing": ({"retry-after": ""}, 0, 0.2),
    "nonsense in milliseconds": ({"retry-after-ms": "NaN", "retry-after": "1"}, 0.25, 0.9),
    "a date that is none": ({"retry-after": "Mon, 99 Foo 2026 99:99:99 GMT"}, 0, 0.2),
}


@pytest.mark.parametrize(("headers", "least", "most"), CASES.values(), ids=CASES)
def test_the_wait_is_what_was_said_up_to_the_cap_and_nonsense_is_no_wait(serve, clean, headers, least, most):
    clean.setenv("OPENAI_API_KEY", "sk-test-000111222")

    async def main(server):
        judge = open_judge()
        retry = build_processor("error", "streamErrorRetry", {"maxRetries": 1, "maxRetryAfterMs": CAP_MS})
        target = Target("openai", "gpt-4o-mini", base_url=server.url)
        warm = Question("r0", "generateScore", "rec=500", JudgeConfig(target), None, score_format(0, 1))
        await judge.ask(warm)
        config = JudgeConfig(target, error_processors=(retry,))
        started = time.monotonic()
        await judge.ask(Question("r1", "generateScore", "rec=0", config, None, score_format(0, 1)))
        took = time.monotonic() - started
        await judge.close()
        return took

    for last in (False, False, True):  # a machine that is busy with other tests can be late
        with serve(faults={503 if least else 429: 0.4}, headers=headers) as server:
            took = asyncio.run(main(server))
            assert server.stats()["requests"] == 3
        assert took >= least
        if took < most or last:
            break
    assert took < most
