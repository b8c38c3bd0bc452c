"""Published data, read where SCORERKIT_DATA says it is; the project holds none of it."""

import json
import os
from pathlib import Path

import pytest

from scorerkit.main import run

SCORERS = Path(__file__).parent / "scorers"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def data():
    """The folder with the records."""
    folder = os.environ.get("SCORERKIT_DATA")
    if not folder:
        pytest.skip("SCORERKIT_DATA is not set: docs/real-data.md says how to get the data")
    return Path(folder).absolute()


@pytest.fixture
def summary(tmp_path, monkeypatch, capfd):
    """Runs the command and gives (exit code, the scorer's part of the summary, results)."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    def scored(scorer, *arguments):
        report, results = tmp_path / "summary.json", tmp_path / "results.jsonl"
        command = [
            "run",
            str(scorer),
            *map(str, arguments),
            "--output",
            str(results),
            "--report",
            str(report),
            "--quiet",
        ]
        code = run([*command, "--project", str(ROOT)])
        capfd.readouterr()
        return code, json.loads(report.read_text())["scorers"][0], rows(results)

    return scored


def rows(file):
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line]
