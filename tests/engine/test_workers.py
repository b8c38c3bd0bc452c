"""Several processes, Dask, Ray: the same results, order, exit codes and limits as in one process."""

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location("engine_processes", Path(__file__).with_name("processes.py"))
_processes = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_processes)
workers_below = _processes.workers_below

TIMES = re.compile(rb'("durationMs"):[\d.]+|("experimentId"):"[^"]*"')
ENGINES = [
    pytest.param([], id="local"),
    pytest.param(["--workers", "2"], id="processes"),
    pytest.param(["--workers", "2", "--engine", "dask"], id="dask", marks=pytest.mark.slow),
    pytest.param(["--workers", "2", "--engine", "ray"], id="ray", marks=pytest.mark.slow),
]

FUNCTIONS = """
import os, time
from pathlib import Path

def halves(run):
    if run.output == "fails":
        raise ValueError("this one cannot be scored")
    return len(run.output) / 100

def slow(run):
    time.sleep(0.02)
    return halves(run)

def dies_once(run):
    if run.output == "dies" and not Path("died").exists():
        Path("died").touch()
        os._exit(3)
    return halves(run)

def always_dies(run):
    if run.output == "dies":
        os._exit(3)
    return halves(run)

def prints(run):
    print("from the function")
    return halves(run)
"""


@pytest.fixture
def scored(project, write):
    """(function, outputs, words) → (exit code, results as bytes without times, stderr)."""
    write("functions.py", FUNCTIONS)

    def called(function, outputs, *words, data=None):
        write("s.yaml", f"""
            id: s
            description: A number.
            ignore: [no-tests]
            notScorable: [{{when: run.output == 'nothing', reason: there is nothing}}]
            steps:
              generateScore: {{function: functions.{function}}}
            """)  # fmt: skip
        if data is None:
            write("runs.jsonl", [{"runId": f"r{i}", "output": output} for i, output in enumerate(outputs)])
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-m", "scorerkit", "run", "s.yaml", "--data", data or "runs.jsonl", "--output", "out.jsonl",
             "--report", "summary.json", *words],
            cwd=project, env=env, capture_output=True, text=True, timeout=170,
        )  # fmt: skip
        out = project / "out.jsonl"
        return done.returncode, TIMES.sub(rb"\1\2:0", out.read_bytes()) if out.exists() else None, done.stderr

    return called


OUTPUTS = ["a" * (i % 50 + 1) for i in range(3000)]
OUTPUTS[17], OUTPUTS[2100], OUTPUTS[5] = "fails", "fails", "nothing"


@pytest.mark.parametrize("words", ENGINES)
def test_every_engine_gives_the_same_file_summary_and_exit_code(scored, project, words):
    code, here, _ = scored("halves", OUTPUTS, "--max-errors", "1")
    summary = json.loads((project / "summary.json").read_text())
    again, there, err = scored("halves", OUTPUTS, "--max-errors", "1", *words)
    assert (code, again) == (3, 3), err
    assert there == here
    other = json.loads((project / "summary.json").read_text())
    for found in (summary, other):
        for key in ("experimentId", "startedAt", "wallMs"):
            del found[key]
    assert other == summary
    assert "r17: error[step-failed]" in err
    assert "this one cannot be scored" in err


@pytest.mark.parametrize("words", ENGINES[1:])
def test_a_worker_that_dies_costs_nothing(scored, words):
    outputs = OUTPUTS.copy()
    outputs[1500] = "dies"
    _, here, _ = scored("halves", outputs)
    code, there, err = scored("dies_once", outputs, *words)
    assert code == 3, err  # the two that fail
    sure = [line for line in here.splitlines() if b'"failed"' not in line]
    assert [_bare(line) for line in there.splitlines() if b'"failed"' not in line] == [_bare(line) for line in sure]


def _bare(line):
    """A result without the scorer's identity, which names its function."""
    return {key: value for key, value in json.loads(line).items() if key != "scorer"}


@pytest.mark.parametrize("words", ENGINES[1:])
def test_the_record_that_kills_its_worker_fails_alone(scored, words):
    outputs = ["a"] * 300
    outputs[150] = "dies"
    code, there, err = scored("always_dies", outputs, *words)
    assert code == 3
    lines = there.splitlines()
    assert len(lines) == 300
    assert [index for index, line in enumerate(lines) if b'"failed"' in line] == [150]
    assert b"worker-lost" in lines[150]
    assert "run r150: error[worker-lost]" in err


def test_what_functions_print_does_not_come_between(scored):
    code, there, err = scored("prints", ["a"] * 50, "--workers", "2")
    assert code == 0
    assert len(there.splitlines()) == 50
    assert "from the function" in err


def test_unordered_and_limited(scored):
    code, there, _ = scored("halves", OUTPUTS[100:1100], "--workers", "3", "--unordered", "--limit", "500")
    assert code == 0
    assert len({json.dumps(_bare(line)["runId"]) for line in there.splitlines()}) == 500


@pytest.mark.slow
def test_fail_fast_and_a_time_limit_end_it(scored):
    outputs = ["a"] * 2000
    outputs[0] = "fails"
    code, there, err = scored("slow", outputs, "--workers", "2", "-x")
    assert code == 3
    assert "--fail-fast" in err
    assert len(there.splitlines()) < 500
    code, there, err = scored("slow", ["a"] * 2000, "--workers", "2", "--timeout", "3")
    assert code == 3
    assert "the time of 3 s was used up" in err
    assert 0 < len(there.splitlines()) < 2000
    assert "--resume" in err


@pytest.mark.slow
def test_a_stopped_run_is_taken_up_by_several_processes_and_by_one(scored):
    _, whole, _ = scored("halves", ["a"] * 400, "--no-store")
    code, _, _ = scored("halves", ["a"] * 400, "--workers", "2", "--timeout", "0.3")
    if code == 3:
        code, there, err = scored("halves", ["a"] * 400, "--workers", "2", "--resume")
        assert code == 0, err
        assert there == whole


def test_an_interrupt_ends_the_workers_too(scored, project, write):
    write("functions.py", FUNCTIONS)
    write("s.yaml", "id: s\nsteps:\n  generateScore: {function: functions.slow}\n")
    write("runs.jsonl", [{"output": "a"}] * 5000)
    process = subprocess.Popen(
        [sys.executable, "-m", "scorerkit", "run", "s.yaml", "--data", "runs.jsonl", "--output", "out.jsonl", "--workers", "2"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=project, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    partial = project / "out.jsonl.partial"
    while not (partial.exists() and partial.stat().st_size):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "--resume" in err
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--address", "tcp://127.0.0.1:1"], "--engine dask"),
        (["--workers", "2", "--address", "tcp://127.0.0.1:1"], "--engine dask"),
        (["--engine", "dask", "--address", "tls://me:pw123@127.0.0.1:1"], "holds a user or a password"),
        (["--engine", "ray", "--address", "ray://me:pw123@127.0.0.1:1"], "holds a user or a password"),
        (["--workers", "2", "--record", "r.jsonl"], "one process"),
        (["--workers", "2", "--log-json"], "one process"),
    ],
)
def test_what_does_not_go_together_is_said_at_once(scored, words, said):
    code, there, err = scored("halves", ["a"], *words)
    assert (code, there) == (2, None)
    assert said in err
    assert "pw123" not in err


def test_functions_that_differ_on_a_worker_are_refused(scored, project):
    from dataclasses import replace

    from scorerkit.engine.task import Task
    from scorerkit.engine.worker import Worker
    from scorerkit.errors import ScorerkitError
    from scorerkit.loader import check_file, open_project

    scored("halves", ["a"])
    settings = open_project()
    definition = check_file(project / "s.yaml", "s.yaml", settings).definition
    task = Task((definition,), settings, ("0" * 64,), "e", 1)
    with pytest.raises(ScorerkitError, match="another one on a worker"):
        Worker(task)
    assert replace(task).packed()


@pytest.mark.slow
@pytest.mark.parametrize("words", ENGINES[1:])
def test_a_hundred_thousand_records_with_a_worker_killed_midway(scored, project, write, words):
    (project / "many.jsonl").write_text(
        "".join(f'{{"runId": "r{i}", "output": "{"a" * (i % 40)}"}}\n' for i in range(100_000))
    )
    code, whole, err = scored("halves", [], "--no-store", data="many.jsonl")
    assert code == 0, err
    (project / "out.jsonl").unlink()
    process = subprocess.Popen(
        [sys.executable, "-m", "scorerkit", "run", "s.yaml", "--data", "many.jsonl", "--output", "out.jsonl", "--quiet", *words],
        cwd=project, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    partial = project / "out.jsonl.partial"
    while process.poll() is None and not (partial.exists() and partial.stat().st_size > 1_000_000):
        time.sleep(0.01)
    os.kill(workers_below(process.pid)[0], signal.SIGKILL)
    _, err = process.communicate(timeout=170)
    assert process.returncode == 0, err
    assert TIMES.sub(rb"\1\2:0", (project / "out.jsonl").read_bytes()) == whole
