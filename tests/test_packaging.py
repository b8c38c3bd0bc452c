"""The wheel in an empty environment: command, schemas and library are there."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command, cwd=None):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    return folder


@pytest.mark.slow
def test_a_wheel_in_a_fresh_environment_scores_an_example(built, tmp_path):
    wheel = next(built.glob("*.whl"))
    run(sys.executable, "-m", "venv", tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel)
    command = tmp_path / "env" / "bin" / "scorerkit"
    assert json.loads(run(command, "schema", "result", cwd=tmp_path))["title"] == "scorerkit result"
    (tmp_path / "s.yaml").write_text("id: one\ndescription: x\nsteps: {generateScore: {expression: run.output}}\n")
    (tmp_path / "d.jsonl").write_text('{"runId": "r", "output": 0.5}\n')
    line = run(command, "run", "s.yaml", "--data", "d.jsonl", "--output", "-", "--quiet", cwd=tmp_path)
    assert json.loads(line)["score"] == 0.5


@pytest.mark.slow
def test_what_ships_is_in_both_distributions(built):
    wheel = zipfile.ZipFile(next(built.glob("*.whl"))).namelist()
    source = tarfile.open(next(built.glob("*.tar.gz"))).getnames()
    for name in ("scorer", "judge", "run", "result", "summary", "project"):
        assert f"scorerkit/_shipped/schemas/{name}.schema.json" in wheel
        assert any(entry.endswith(f"/schemas/{name}.schema.json") for entry in source)
    assert "scorerkit/py.typed" in wheel
    assert not [entry for entry in wheel if entry.startswith(("tests/", "cli.py"))]
