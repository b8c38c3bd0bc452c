"""Judged runs on several workers: requests are counted at the judge."""

import importlib.util
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

CRASH = Path(__file__).resolve().parents[1] / "crash"
BESIDE = {
    "crash_judge": CRASH / "judge.py",
    "crash_conftest": CRASH / "conftest.py",
    "engine_processes": Path(__file__).with_name("processes.py"),
}
for _name, _file in BESIDE.items():
    if _name not in sys.modules:  # under importlib mode, test modules find nothing beside them
        _spec = importlib.util.spec_from_file_location(_name, _file)
        sys.modules[_name] = importlib.util.module_from_spec(_spec)
        _spec.loader.exec_module(sys.modules[_name])

Judge = sys.modules["crash_judge"].Judge
here = sys.modules["crash_conftest"]
workers_below = sys.modules["engine_processes"].workers_below
command, judged, same = here.command, here.judged, here.same

ENGINES = [
    pytest.param(["--workers", "2"], id="processes"),
    pytest.param(["--workers", "2", "--engine", "dask"], id="dask", marks=pytest.mark.slow),
    pytest.param(["--workers", "2", "--engine", "ray"], id="ray", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("engine", ENGINES)
def test_answers_are_cached_and_steps_kept(command, judged, engine, tmp_path):
    running, words = command(), judged(60)
    with Judge() as judge:
        base = [*words, "--base-url", judge.url]
        assert running.run(*base, "--no-store", "--output", "whole.jsonl")[0] == 0
        assert judge.requests == 120
        code, _, err = running.run(*base, *engine, "--output", "out.jsonl")
        assert code == 0, err
        assert judge.requests == 240
        assert same(tmp_path / "out.jsonl") == same(tmp_path / "whole.jsonl")
        code, _, err = running.run(*base, *engine, "--output", "cached.jsonl")
        assert (code, judge.requests) == (0, 240), err


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("most", [1, 37, 120])
def test_no_more_requests_than_allowed_and_none_left_over(command, judged, engine, most, tmp_path):
    running, words = command(), judged(60)
    with Judge() as judge:
        base = [*words, "--base-url", judge.url, *engine, "--output", "out.jsonl"]
        code, _, err = running.run(*base, "--max-requests", str(most))
        assert judge.requests == most
        assert code == (0 if most == 120 else 3), err
        if most < 120:
            assert f"{most} requests were made (--max-requests)" in err
            code, _, err = running.run(*base, "--resume")
            assert (code, judge.requests) == (0, 120), err


@pytest.mark.slow
def test_no_more_at_a_time_than_allowed(command, judged):
    running, words = command(), judged(80)
    with Judge(delay=0.01) as judge:
        code, _, err = running.run(*words, "--base-url", judge.url, "--workers", "2", "-j", "6")
        assert code == 0, err
        assert judge.most_in_flight <= 6


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_lost_worker_asks_no_finished_step_again(command, judged, engine, tmp_path):
    running, words = command(), judged(200)
    with Judge() as judge:
        assert running.run(*words, "--base-url", judge.url, "--no-store", "--output", "whole.jsonl")[0] == 0
    with Judge(delay=0.03) as judge:
        process = running.start(
            *words, "--base-url", judge.url, *engine, "-j", "8", "--output", "out.jsonl", "--no-cache"
        )
        while judge.requests < 40 and process.poll() is None:
            time.sleep(0.005)
        victim = workers_below(process.pid)[0]
        os.kill(victim, signal.SIGKILL)
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        repeated = judge.requests - len(judge.asked)
        assert len(judge.asked) == 400
        assert repeated <= 8
    assert same(tmp_path / "out.jsonl") == same(tmp_path / "whole.jsonl")


@pytest.mark.slow
def test_the_driver_s_death_ends_its_workers(command, judged):
    running, words = command(), judged(300)
    with Judge(delay=0.02) as judge:
        process = running.start(*words, "--base-url", judge.url, "--workers", "2")
        while judge.requests < 20 and process.poll() is None:
            time.sleep(0.005)
        here.kill(process)
        time.sleep(0.5)
        before = judge.requests
        time.sleep(0.5)
        assert judge.requests == before
        code, _, err = running.run(*words, "--base-url", judge.url, "--workers", "2", "--resume")
        assert code == 0, err
        assert judge.requests - len(judge.asked) <= 16


@pytest.mark.slow
def test_a_mistake_that_shows_on_a_worker_is_one_sentence(command, judged, tmp_path):
    running, words = command(), judged(3)
    running.env["SCORERKIT_STORE"] = str(tmp_path / "store.db")
    with Judge() as judge:
        code, _, err = running.run(*words, "--base-url", judge.url, "--workers", "2", "--max-requests", "4")
    assert code == 3
    assert "Traceback" not in err
    assert json.loads(json.dumps(err))
