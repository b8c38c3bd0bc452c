"""The console function, ``python -m scorerkit`` and ``cli.py`` are one command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOORS = {
    "cli.py": [sys.executable, str(ROOT / "cli.py")],
    "module": [sys.executable, "-m", "scorerkit"],
    "function": [sys.executable, "-c", "from scorerkit.main import main; main()"],
}
CALLS = [
    (["--help"], 0),
    (["run", "--help"], 0),
    (["--version"], 0),
    (["frobnicate"], 2),
    (["check", "missing.yaml"], 2),
]


def go_through(door, words, cwd):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "100"}
    return subprocess.run([*DOORS[door], *words], capture_output=True, text=True, cwd=cwd, env=environment)


@pytest.mark.parametrize(("words", "code"), CALLS, ids=lambda each: " ".join(each) if isinstance(each, list) else "")
def test_all_doors_say_the_same(words, code, tmp_path):
    done = {door: go_through(door, words, tmp_path) for door in DOORS}
    assert {each.returncode for each in done.values()} == {code}
    assert len({(each.stdout, each.stderr) for each in done.values()}) == 1


def test_no_command_is_help(tmp_path):
    done = go_through("module", [], tmp_path)
    assert "Usage: scorerkit" in done.stdout + done.stderr
