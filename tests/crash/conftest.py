"""Runs that are killed: a project with a judged scorer, its judge, and the command as a process of its own."""

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

if "crash_judge" not in sys.modules:  # under importlib mode, test modules find nothing beside them
    _spec = importlib.util.spec_from_file_location("crash_judge", Path(__file__).with_name("judge.py"))
    sys.modules["crash_judge"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["crash_judge"])

JUDGED = """
id: two
description: Two questions a record.
ignore: [no-tests]
range: {min: 0, max: 1}
judge: {model: openai/judge-1, jsonPromptInjection: inline}
steps:
  analyze:
    description: The topic.
    prompt: "rec={{ run.runId }} step=analyze What is it about? {{ run.output }}"
    outputSchema: {type: object, properties: {topic: {type: string}}, required: [topic], additionalProperties: false}
  generateScore:
    description: The score.
    prompt: "rec={{ run.runId }} step=score How good is it? {{ results.analyzeStepResult.topic }}"
"""
TIMES = re.compile(rb'"durationMs":[\d.]+|"experimentId":"[^"]*"')


class Command:
    """``scorerkit run`` in a project, as a process that leads a group of its own."""

    def __init__(self, project, store=None):
        self.project = project
        self.env = {name: value for name, value in os.environ.items() if not name.startswith("SCORERKIT_")}
        self.env |= {"PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "sk-test-1"}
        if store:
            self.env["SCORERKIT_STORE"] = store

    def start(self, *words):
        return subprocess.Popen(
            [sys.executable, "-m", "scorerkit", *words], cwd=self.project, env=self.env, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, *words, timeout=120):
        process = self.start(*words)
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err


def kill(process):
    """End a command as a crash of the machine's memory would."""
    process.kill()
    process.communicate()


def kill_group(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.fixture
def command(tmp_path):
    (tmp_path / "scorerkit.toml").write_text("")
    return lambda store=None: Command(tmp_path, store)


@pytest.fixture
def judged(tmp_path):
    """(records) → words of a run over so many, without results and address."""

    def made(count, scorer=JUDGED):
        (tmp_path / "two.yaml").write_text(scorer)
        lines = (json.dumps({"runId": f"r{i}", "input": "q", "output": f"answer {i}"}) for i in range(count))
        (tmp_path / "runs.jsonl").write_text("\n".join(lines) + "\n")
        return ["run", "two.yaml", "--data", "runs.jsonl", "--quiet"]

    return made


def same(path):
    """A results file without its times and ids."""
    return TIMES.sub(b"", Path(path).read_bytes())


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request):
    """The address of an empty store; None means the project's own."""
    return None if request.param == "sqlite" else request.getfixturevalue("postgres")()
