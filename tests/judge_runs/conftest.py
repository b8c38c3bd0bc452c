"""Whole runs against a server that misbehaves: the server, and the command in an empty project."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import NamedTuple

import pytest


def _beside(name, file):
    """A module of this folder: under importlib mode, test modules find nothing beside them."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(file))
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


server_of = _beside("judge_runs_server", "server.py")
_beside("judge_runs_others", "others.py")

SCORER = """
id: judged
judge: {model: openai/gpt-4o-mini}
steps:
  generateScore:
    prompt: "rec={{ run.input }} How good is it? {{ run.output }}"
"""


class Ran(NamedTuple):
    """What a run of the command came to."""

    exit: int
    err: str
    results: list
    summary: dict


@pytest.fixture
def serve():
    return server_of.serving


@pytest.fixture
def score(project, clean, write, run):
    """(server, how many records, words of the command line) → what the run came to."""
    clean.setenv("OPENAI_API_KEY", server_of.KEY)

    def called(server, count, *words, scorer=SCORER, config=""):
        write("scorerkit.toml", config)
        write("judged.yaml", scorer)
        write("runs.jsonl", server_of.records(count))
        given = ["run", "judged.yaml", "--data", "runs.jsonl", "--base-url", server.url, "--quiet", *words]
        said = run(*given, "--output", "results.jsonl", "--report", "summary.json")
        results, summary = project / "results.jsonl", project / "summary.json"
        return Ran(
            said.exit,
            said.err,
            [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else [],
            json.loads(summary.read_text()) if summary.exists() else {},
        )

    return called
