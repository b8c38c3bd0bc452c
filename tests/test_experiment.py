"""Many records: order, concurrency, stopping, and a memory that stays flat."""

import asyncio
import os
import signal
import threading
import time
import tracemalloc

import pytest

from scorerkit import create_scorer
from scorerkit.dataset.given import GivenRecords
from scorerkit.errors import Inconclusive
from scorerkit.engine.local import Local
from scorerkit.experiment import Options, Runner
from scorerkit.model.judge import JudgeError
from scorerkit.testing import ScriptedJudge

pytestmark = pytest.mark.usefixtures("project")


def records(count):
    return [{"runId": f"r{i}", "output": i} for i in range(count)]


def plan_of(function, **keys):
    return create_scorer(id="s", **keys).generate_score(function).build().plan


def experiment(plans, data, *, judges=None, emit=None, **options):
    """(runner, run ids in the order in which they came out)."""
    plans = plans if isinstance(plans, tuple) else (plans,)
    out = []
    runner = Runner(
        plans,
        GivenRecords(data),
        judges or (None,) * len(plans),
        emit or (lambda scored, run: out.append(scored.result)),
        Options(**options),
    )
    asyncio.run(runner.run())
    return runner, out


def ids(results):
    return [result.run_id for result in results]


async def backwards(run):
    """The later a record comes, the sooner it is done."""
    await asyncio.sleep((20 - run.output) * 0.002)
    return run.output


def test_results_keep_the_order_of_the_data():
    _, out = experiment(plan_of(backwards), records(20), concurrency=8)
    assert ids(out) == [f"r{i}" for i in range(20)]
    assert [result.score for result in out] == list(range(20))


def test_unordered_results_come_as_they_are_done():
    _, out = experiment(plan_of(backwards), records(8), concurrency=8, ordered=False)
    assert ids(out) == [f"r{i}" for i in reversed(range(8))]
    assert [result.score for result in out] == [7, 6, 5, 4, 3, 2, 1, 0]


@pytest.mark.parametrize(("concurrency", "peak"), [(1, 1), (3, 3), (None, 16)])
def test_no_more_records_at_a_time_than_were_asked_for(concurrency, peak):
    running = {"now": 0, "most": 0}

    async def score():
        running["now"] += 1
        running["most"] = max(running["most"], running["now"])
        await asyncio.sleep(0.001)
        running["now"] -= 1
        return 1

    experiment(plan_of(score), records(40), concurrency=concurrency)
    assert running["most"] == peak


def test_functions_that_never_wait_are_called_one_by_one():
    threads = set()
    experiment(plan_of(lambda: threads.add(threading.get_ident()) or 1), records(20))
    assert threads == {threading.get_ident()}


def test_threads_run_side_by_side():
    together = threading.Barrier(4, timeout=5)
    scorer = create_scorer(id="s").generate_score(lambda: together.wait() * 0 + 1, thread=True)
    runner, _ = experiment(scorer.build().plan, records(4), concurrency=4)
    assert runner.tallies[0].scored == 4


def test_several_scorers_take_one_pass_and_come_out_record_by_record():
    taken = []

    def data():
        for record in records(3):
            taken.append(record["runId"])
            yield record

    runner, out = experiment((plan_of(lambda: 1), plan_of(lambda run: run.output)), data(), concurrency=2)
    assert ids(out) == ["r0", "r0", "r1", "r1", "r2", "r2"]
    assert taken == ["r0", "r1", "r2"]
    assert [list(tally.scores) for tally in runner.tallies] == [[1, 1, 1], [0, 1, 2]]


def test_each_scorer_asks_its_own_judge():
    def judged(name):
        return create_scorer(id=name, judge=ScriptedJudge({})).generate_score(prompt="x").build()

    judges = ScriptedJudge({"generateScore": {"score": 1}}), ScriptedJudge({"generateScore": {"score": 0}})
    _, out = experiment((judged("a").plan, judged("b").plan), records(2), judges=judges)
    assert [result.score for result in out] == [1, 0, 1, 0]


# -- back-pressure -----------------------------------------------------------------------------------------------------------


def test_reading_waits_for_scoring_and_scoring_waits_for_the_first_record():
    read = []
    gate = asyncio.Event()

    async def score(run):
        if run.output == 0:
            await gate.wait()
        return 1

    def data():
        for record in records(1000):
            read.append(record)
            yield record

    async def run():
        runner = Runner((plan_of(score),), GivenRecords(data()), (None,), lambda *_: None, Options(concurrency=2))
        task = asyncio.create_task(runner.run())
        for _ in range(200):
            await asyncio.sleep(0)
        held = len(read)
        gate.set()
        await task
        return held

    assert asyncio.run(run()) <= 2 * Local.ahead + 2
    assert len(read) == 1000


def test_nothing_is_read_before_the_result_before_it_is_written():
    events = []

    def data():
        for record in records(5):
            events.append(("read", record["runId"]))
            yield record

    experiment(plan_of(lambda: 1), data(), emit=lambda scored, run: events.append(("write", scored.result.run_id)))
    assert events == [(verb, f"r{i}") for i in range(5) for verb in ("read", "write")]


# -- stopping ------------------------------------------------------------------------------------------------------------------


def test_a_timeout_stops_and_keeps_what_was_scored():
    async def score(run):
        await asyncio.sleep(60 if run.output > 2 else 0)
        return 1

    started = time.monotonic()
    runner, out = experiment(plan_of(score), records(10), concurrency=2, timeout=0.1)
    assert time.monotonic() - started < 5
    assert (ids(out), runner.stop_code) == (["r0", "r1", "r2"], "time")
    assert runner.experiment().not_reached > 0


def test_a_timeout_reaches_a_scorer_that_never_waits():
    runner, _ = experiment(plan_of(lambda: time.sleep(0.01) or 1), records(1000), timeout=0.1)
    assert runner.stop_code == "time"
    assert runner.read < 100


def test_a_timeout_waits_for_no_thread():
    scorer = create_scorer(id="s").generate_score(lambda: time.sleep(2) or 1, thread=True)
    started = time.monotonic()
    runner, _ = experiment(scorer.build().plan, records(3), timeout=0.1)
    assert time.monotonic() - started < 1.5
    assert runner.stop_code == "time"


def test_results_behind_a_gap_are_handed_over_when_it_stops():
    async def score(run):
        await asyncio.sleep(60 if run.output == 1 else 0)
        return 1

    _, out = experiment(plan_of(score), records(6), concurrency=3, timeout=0.1)
    assert ids(out) == ["r0", "r2", "r3", "r4", "r5"]


def test_a_timeout_of_somebody_else_is_no_timeout_of_the_experiment():
    def emit(scored, run):
        raise TimeoutError

    with pytest.raises(TimeoutError):
        experiment(plan_of(lambda: 1), records(1), emit=emit)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_fail_fast_stops_at_the_first_failed_record(concurrency):
    runner, out = experiment(
        plan_of(lambda run: 1 / (run.output - 3)), records(100), fail_fast=True, concurrency=concurrency
    )
    assert runner.stop_code == "fail-fast"
    assert len(out) <= 4 + concurrency
    assert [result.run_id for result in out if result.status == "failed"] == ["r3"]


def test_a_judge_that_refuses_everybody_is_asked_by_nobody_else():
    refusal = JudgeError("judge-rejected", "no such key", fatal=True)
    judge = ScriptedJudge({"generateScore": refusal})
    plan = create_scorer(id="s", judge=judge).generate_score(prompt="x").build().plan
    runner, out = experiment(plan, records(1000), judges=(judge,), concurrency=4)
    assert (runner.stop_code, runner.stopped) == ("judge-refused", "no such key")
    assert len(judge.questions) <= 4
    assert {result.status for result in out} == {"failed"}


def test_an_interrupt_keeps_the_results_so_far():
    out = []

    async def score(run):
        if run.output == 5:
            os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.001)
        return 1

    plan = plan_of(score)
    runner = Runner((plan,), GivenRecords(records(100)), (None,), lambda scored, run: out.append(scored.result), Options(1))
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(runner.run())
    assert ids(out) == [f"r{i}" for i in range(5)]
    assert runner.tallies[0].scored == 5


def test_results_that_cannot_be_written_end_the_experiment():
    seen = []

    def emit(scored, run):
        seen.append(scored)
        if len(seen) == 3:
            message = "the disk is full"
            raise Inconclusive(message)

    with pytest.raises(Inconclusive, match="the disk is full"):
        experiment(plan_of(lambda: 1), records(1000), emit=emit)
    assert len(seen) == 3


def test_data_that_breaks_off_ends_the_experiment():
    def data():
        yield records(1)[0]
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        experiment(plan_of(lambda: 1), data())


# -- records that cannot be read -------------------------------------------------------------------------------------------------


def test_a_bad_record_fails_alone_and_in_its_place():
    runner, out = experiment(
        plan_of(lambda: 1), [{"output": 1}, [1], {"runId": "x"}, {"output": object()}, {"output": 2}]
    )
    assert [(result.status, (result.error or {}).get("code")) for result in out] == [
        ("scored", None),
        ("failed", "bad-record"),
        ("failed", "missing-output"),
        ("failed", "bad-record"),
        ("scored", None),
    ]
    assert out[2].run_id == "x"
    assert (runner.tallies[0].scored, runner.tallies[0].failed, runner.read) == (2, 3, 5)


def test_failures_are_kept_for_the_report_up_to_a_hundred():
    runner, _ = experiment(plan_of(lambda: "x"), records(150))
    assert (len(runner.failures), runner.tallies[0].failed) == (100, 150)
    assert runner.failures[0][0] == "r0"


def test_progress_is_told_while_records_are_scored():
    seen = []
    plan = plan_of(lambda: time.sleep(0.01) or 1)
    runner = Runner(
        (plan,), GivenRecords(records(20)), (None,), lambda *_: None, Options(), lambda each: seen.append(each.read)
    )
    asyncio.run(runner.run())
    assert seen == sorted(seen)
    assert len(seen) >= 2


def test_ids_of_experiments_sort_by_time_and_differ():
    runners = [Runner((plan_of(lambda: 1),), GivenRecords([]), (None,), print, Options()) for _ in range(2)]
    assert runners[0].id != runners[1].id
    assert runners[0].id[:8].isdigit()


# -- scale -----------------------------------------------------------------------------------------------------------------------


def peak_of(count):
    plan = plan_of(lambda run: run.output)
    tracemalloc.start()
    data = ({"runId": f"r{i}", "output": i % 2, "input": "x" * 100} for i in range(count))
    runner = Runner((plan,), GivenRecords(data), (None,), lambda *_: None, Options(concurrency=4))
    asyncio.run(runner.run())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.slow
def test_memory_grows_by_less_than_64_bytes_a_record():
    small, large = peak_of(1_000), peak_of(50_000)
    assert large - small < 64 * 49_000
