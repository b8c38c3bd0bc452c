"""Whole runs against a server that misbehaves: the server, a project to run in, and what others do with the same."""

import json
import os
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCORER = """
id: judged
judge: {model: openai/gpt-4o-mini}
steps:
  generateScore:
    prompt: "rec={{ run.input }} How good is it? {{ run.output }}"
"""


class Served(NamedTuple):
    url: str

    def stats(self):
        with urllib.request.urlopen(self.url.removesuffix("/v1") + "/stats", timeout=5) as answer:
            return json.loads(answer.read())


class Ran(NamedTuple):
    """What a run of the command came to."""

    exit: int
    err: str
    results: list
    summary: dict


@contextmanager
def serving(**options):
    """A server with these options, in a process of its own."""
    command = [sys.executable, HERE / "faulty.py", json.dumps(options)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Served(process.stdout.readline().strip())
        finally:
            process.stdin.close()


@pytest.fixture
def serve():
    return serving


def records(count):
    return [{"runId": f"r{i}", "input": str(i), "output": "an answer"} for i in range(count)]


@pytest.fixture
def score(tmp_path):
    """(server, how many records, words of the command line) → what the run came to, as a user runs it."""

    def run(server, count, *words, scorer=SCORER, config=""):
        (tmp_path / "scorerkit.toml").write_text(config)
        (tmp_path / "judged.yaml").write_text(scorer)
        (tmp_path / "runs.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records(count)))
        given = ["run", "judged.yaml", "--data", "runs.jsonl", "--base-url", server.url, "--quiet", *words]
        files = ["--output", "results.jsonl", "--report", "summary.json"]
        told = {**os.environ, "OPENAI_API_KEY": "sk-test-000111222", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "scorerkit", *given, *files]
        done = subprocess.run(command, cwd=tmp_path, env=told, capture_output=True, text=True, timeout=120)
        results, summary = tmp_path / "results.jsonl", tmp_path / "summary.json"
        return Ran(
            done.returncode,
            done.stderr,
            [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else [],
            json.loads(summary.read_text()) if summary.exists() else {},
        )

    return run
