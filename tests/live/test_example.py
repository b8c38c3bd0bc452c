from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("opentelemetry.sdk")

APP = Path(__file__).parents[2] / "examples" / "live-app" / "app.py"


def test_the_example_application_is_scored_while_it_runs(tmp_path, capsys):
    spec = importlib.util.spec_from_file_location("live_app", APP)
    app = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(app)
    target = tmp_path / "live.jsonl"
    app.main(str(target))
    results = [json.loads(line) for line in target.read_text().splitlines()]
    assert [result["status"] for result in results] == ["scored"] * 3
    assert {result["score"] for result in results} == {1.0}
    assert "3 results in" in capsys.readouterr().out
