import json

import pytest

from scorerkit.model.result import ScorerResult
from scorerkit.model.run import ScorerRun
from scorerkit.results.row import RowMaker, serialise


def result(**more):
    return ScorerResult(
        "r", "scored", 1, steps={"preprocess": [1], "generateScore": 1}, prompts={"analyze": "p"},
        judge={"analyze": [{"prompt": "p", "output": 1}]}, metadata={"m": 1}, **more,
    )  # fmt: skip


def row(include=(), exclude=(), run=None, **more):
    rows = RowMaker("e", frozenset(include), frozenset(exclude))
    line = rows.shown(rows.line(result(**more)), run)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    return json.loads(line)


def test_a_line_is_the_result_with_its_experiment():
    assert row() == {**result().to_dict(), "experimentId": "e"}


def test_the_record_is_added_on_demand():
    run = ScorerRun(input="q", output=None, run_id="r")
    assert row(include=["run"], run=run)["run"] == run.to_json()
    assert "run" not in row(run=run)
    assert "run" not in row(include=["run"])


@pytest.mark.parametrize(
    ("what", "gone"),
    [
        ("prompts", {"analyzePrompt"}),
        ("judge", {"judge"}),
        ("steps", {"preprocessStepResult", "generateScoreStepResult"}),
        ("metadata", {"metadata"}),
    ],
)
def test_what_is_excluded_is_not_there(what, gone):
    assert set(row()) - set(row(exclude=[what])) == gone


def test_prompts_are_excluded_from_the_judge_s_records_too():
    assert row(exclude=["prompts"])["judge"] == {"analyze": {"executions": [{"output": 1}]}}
    assert row()["judge"]["analyze"]["executions"][0]["prompt"] == "p"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"a": "é\u2028"}, '{"a":"é\u2028"}\n'),
        ({"a": 2**70}, '{"a":1180591620717411303424}\n'),
        ({"a": "\ud83d"}, '{"a":"\ufffd"}\n'),
        ({"a": "\ud83d\ude00"}, '{"a":"😀"}\n'),
        ({"a": "\0"}, '{"a":"\\u0000"}\n'),
    ],
    ids=["plain", "a whole number", "half a pair", "both halves", "nul"],
)
def test_a_line_is_strict_utf_8_and_strict_json(value, written):
    assert serialise(value) == written.encode("utf-8")


def test_nan_is_never_written():
    assert json.loads(serialise({"a": float("nan")})) == {"a": None}
