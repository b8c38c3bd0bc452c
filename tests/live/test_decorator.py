from __future__ import annotations

import asyncio
import threading
import time

import pytest

import scorerkit
from scorerkit.live import scored
from scorerkit.live.background import Background
from scorerkit.live.sinks import JsonLinesSink
from scorerkit.results.events import evaluation_attributes

LENGTH = scorerkit.create_scorer(id="length", description="x", threshold=2).generate_score(
    expression="run.output | length"
)


def test_a_functions_answers_are_scored_after_it_has_given_them():
    results = []

    @scored(LENGTH, sink=results.append)
    def answer(question):
        """Doc."""
        return question * 2

    assert answer("ab") == "abab"
    assert answer.__doc__ == "Doc."
    assert answer.background.flush()
    (one,) = results
    assert (one.result.score, one.result.passed, one.result.run_id is not None) == (4, True, True)
    assert (answer.health.triggered, answer.health.sampled, answer.health.saved, answer.health.failed) == (1, 1, 1, 0)
    answer.background.shutdown()


def test_an_async_function_and_several_arguments():
    inputs = []
    scorer = scorerkit.create_scorer(id="in", description="x").generate_score(lambda run: inputs.append(run.input) or 1)

    @scored(scorer, sink=lambda _: None)
    async def answer(question, *, tone="plain"):
        await asyncio.sleep(0)
        return question + tone

    assert asyncio.run(answer("q", tone="warm")) == "qwarm"
    answer.background.shutdown()
    assert inputs == [{"question": "q", "tone": "warm"}]


def test_the_application_waits_for_nothing_and_hears_of_nothing():
    slow = scorerkit.create_scorer(id="slow", description="x").generate_score(lambda run: time.sleep(0.2) or 1)
    broken = scorerkit.create_scorer(id="broken", description="x").generate_score(lambda run: 1 / 0)

    def refuse(_):
        raise OSError("disk full")

    @scored(slow, sink=refuse)
    @scored(broken, sink=lambda _: None)
    def answer():
        return "a"

    started = time.perf_counter()
    assert answer() == "a"
    assert time.perf_counter() - started < 0.1
    answer.background.shutdown()
    assert (answer.health.failed, answer.health.last_error) == (1, "OSError: disk full")
    inner = answer.__wrapped__
    inner.background.shutdown()
    assert inner.health.failed == 1
    assert "ZeroDivisionError" in inner.health.last_error


def test_what_raises_in_the_application_is_not_scored_and_still_raises():
    @scored(LENGTH, sink=lambda _: None)
    def answer():
        raise KeyError("x")

    with pytest.raises(KeyError):
        answer()
    assert answer.health.triggered == 0


def test_a_full_queue_drops_and_counts():
    gate = threading.Event()
    held = scorerkit.create_scorer(id="held", description="x").generate_score(lambda run: gate.wait(5) and 1)
    background = Background(max_waiting=3, concurrency=1)

    @scored(held, sink=lambda _: None, background=background)
    def answer():
        return "a"

    for _ in range(20):
        answer()
    time.sleep(0.05)
    gate.set()
    assert background.shutdown()
    health = answer.health
    assert health.saved + health.dropped == 20
    assert health.dropped >= 15


def test_shutdown_ends_within_its_limit_and_counts_what_is_left():
    slow = scorerkit.create_scorer(id="slow", description="x").generate_score(lambda run: time.sleep(0.3) or 1)
    background = Background(concurrency=1)

    @scored(slow, sink=lambda _: None, background=background)
    def answer():
        return "a"

    for _ in range(10):
        answer()
    started = time.perf_counter()
    assert background.shutdown(0.2) is False
    assert time.perf_counter() - started < 1
    assert answer.health.dropped >= 8
    assert answer() == "a"  # afterwards nothing is scored, and nothing breaks
    assert answer.health.dropped >= 9


def test_sampling_and_filter_hold_per_call():
    seen = []

    @scored(
        LENGTH, sampling=0.5, filter="requestContext.tier == 'pro'", sink=seen.append, request_context=lambda: context
    )
    def answer():
        return "a"

    context = {"tier": "free"}
    for _ in range(50):
        answer()
    context = {"tier": "pro"}
    for _ in range(200):
        answer()
    answer.background.shutdown()
    assert answer.health.triggered == 250
    assert 60 < answer.health.sampled < 140
    assert len(seen) == answer.health.sampled


def test_results_go_to_a_file_a_line_each(tmp_path):
    target = tmp_path / "live.jsonl"

    @scored(LENGTH, sink=JsonLinesSink(target))
    def answer(question):
        return question

    for number in range(5):
        answer("x" * number)
    answer.background.shutdown()
    assert len(target.read_text().splitlines()) == 5


def test_a_result_as_attributes_of_an_event():
    assert evaluation_attributes(LENGTH.run_sync(output="abc").to_dict()) == {
        "gen_ai.evaluation.name": "length",
        "gen_ai.evaluation.score.value": 3.0,
        "gen_ai.evaluation.score.label": "pass",
    }
    failed = evaluation_attributes(LENGTH.run_sync(output=5).to_dict())
    assert failed["error.type"] == "step-failed"
    assert "gen_ai.evaluation.score.value" not in failed
