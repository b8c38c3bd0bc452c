"""kill -9, again and again: what was answered is kept, and the end is that of an uninterrupted run."""

import importlib.util
import random
import sys
import time
from pathlib import Path

import pytest

Judge = sys.modules["crash_judge"].Judge
here = sys.modules.get("crash_conftest")
if here is None:
    _spec = importlib.util.spec_from_file_location("crash_conftest", Path(__file__).with_name("conftest.py"))
    here = sys.modules["crash_conftest"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(here)

KILLS = 50
AT_A_TIME = 4
RECORDS = 300


def uninterrupted(command, words, judge, *more):
    code, _, err = command.run(*words, "--base-url", judge.url, "--no-store", "--output", "whole.jsonl", *more)
    assert code == 0, err


@pytest.mark.slow
@pytest.mark.parametrize("cache", [[], ["--no-cache"]], ids=["cache", "no-cache"])
def test_fifty_kills_in_a_row(command, judged, store, cache, tmp_path):
    moments = random.Random(7)
    running = command(store)
    words = judged(RECORDS)
    with Judge() as judge:
        uninterrupted(running, words, judge)
    with Judge(delay=0.01) as judge:
        words = [*words, "--base-url", judge.url, "-j", str(AT_A_TIME), "--output", "out.jsonl", *cache]
        kills = 0
        resume = []
        while kills < KILLS:
            process = running.start(*words, *resume)
            before, after = judge.requests, moments.choice([0, 1, 2, 5, 9, 14])
            deadline = time.monotonic() + 20
            while judge.requests < before + after and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(moments.random() * 0.02)
            assert process.poll() is None, process.communicate()
            here.kill(process)
            kills += 1
            # Before the experiment was noted there is nothing that could be taken up.
            resume = ["--resume"] if judge.requests or resume else []
        code, _, err = running.run(*words, *resume)
        assert code == 0, err
        assert set(judge.asked) == {(f"r{i}", step) for i in range(RECORDS) for step in ("analyze", "score")}
        repeated = judge.requests - len(judge.asked)
        print(f"{kills} kills, {judge.requests} requests for {len(judge.asked)} questions, {repeated} twice")
        assert repeated <= kills * AT_A_TIME
        assert judge.most_in_flight <= 2 * AT_A_TIME  # what was in flight when a process died, beside the next one's
    assert here.same(tmp_path / "out.jsonl") == here.same(tmp_path / "whole.jsonl")
