"""Functions that raise, return or do what no function should."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SCORER = (
    "id: t\ndescription: x\nsteps:\n  preprocess:\n    function: m.{name}\n  generateScore:\n    function: m.{name}\n"
)
MODULE = """
import itertools


class Stop(BaseException):
    pass


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Number(float):
    pass


def stops(run):
    raise Stop("now")


def mute(run):
    raise Mute


def wordy(run):
    raise ValueError("z" * 1_000_000)


def endless(run):
    return itertools.count()


def number(run):
    return Number(0.5)
"""


@pytest.fixture
def score(run, write):
    write("m.py", MODULE)
    write("d.jsonl", '{"output": "a"}\n')

    def score(name):
        write("s.yaml", SCORER.format(name=name))
        said = run("run", "s.yaml", "--data", "d.jsonl", "--output", "-", "--no-store", "--quiet")
        return said.exit, said.results[0]

    return score


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("stops", "m.stops raised Stop: now"),
        ("mute", "m.mute raised Mute: its message cannot be shown: RuntimeError"),
        ("endless", "the result cannot be kept: it gives more than 1,000,000 items"),
    ],
)
def test_it_fails_the_record_and_not_the_run(score, name, message):
    code, result = score(name)
    assert (code, result["status"], result["failedStep"]) == (3, "failed", "preprocess")
    assert result["error"]["message"] == message


def test_a_message_is_cut_to_a_page(score):
    _, result = score("wordy")
    assert len(result["error"]["message"]) < 2100


def test_a_kind_of_float_is_a_score(score):
    code, result = score("number")
    assert (code, result["score"]) == (0, 0.5)


def test_an_exception_that_is_none_is_a_bug_of_ours_and_no_missed_gate(run, monkeypatch, tmp_path):
    from scorerkit import main

    class Stop(BaseException):
        pass

    def stopped(*_args, **_more):
        raise Stop

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(main.group, "main", stopped)
    assert main.run(["list"]) == main.BUG


def test_the_summary_keeps_control_characters_of_a_name_to_itself(run, write):
    write("s.yaml", 'id: t\nname: "a\\e[31m\\u202e\\nb"\nsteps:\n  generateScore:\n    expression: run.output\n')
    write("d.jsonl", '{"output": 1}\n')
    said = run("run", "s.yaml", "--data", "d.jsonl", "--no-store")
    assert not {"\x1b", "\u202e"} & set(said.err)
    assert "(a\ufffd[31m\ufffd\ufffdb)" in said.err


@pytest.mark.parametrize(
    "when", ["print('spam')\n\n\ndef f(run):\n    return 1\n", "def f(run):\n    print('spam')\n    return 1\n"]
)
def test_prints_do_not_come_between_results(run, write, when):
    write("p.py", when)
    write("s.yaml", "id: t\nsteps:\n  generateScore:\n    function: p.f\n")
    write("d.jsonl", '{"output": 1}\n')
    said = run("run", "s.yaml", "--data", "d.jsonl", "--output", "-", "--no-store", "--quiet")
    assert ([result["score"] for result in said.results], said.err) == ([1], "spam\n")


def test_a_module_that_raises_whatever_it_likes_is_a_problem_of_the_file(run, write):
    write("m.py", "class Stop(BaseException): ...\nraise Stop('x')\ndef f(run): return 1\n")
    write("s.yaml", "id: t\nsteps:\n  generateScore:\n    function: m.f\n")
    write("d.jsonl", '{"output": 1}\n')
    said = run("run", "s.yaml", "--data", "d.jsonl", "--no-store")
    assert (said.exit, "s.yaml:4:15: error[unresolved-function]" in said.err) == (2, True)


def test_looking_at_a_folder_runs_nothing_in_it(tmp_path):
    for name in ("json", "yaml", "random", "click"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run')\n")
    (tmp_path / "s.yaml").write_text("id: t\nsteps:\n  generateScore:\n    expression: run.output\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "scorerkit", "check", "s.yaml"], cwd=tmp_path, env=environment, capture_output=True
    )
    assert done.returncode == 0
