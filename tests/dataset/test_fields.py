from __future__ import annotations

import pytest

from scorerkit.dataset.fields import Mapped, formed
from scorerkit.errors import RecordError
from scorerkit.model.run import ScorerRun

FORMED = [
    ({"output": 1}, ScorerRun(output=1)),
    (
        {"input": "i", "output": "o", "groundTruth": "g", "expectedTrajectory": [], "runId": "r", "requestContext": {}},
        ScorerRun("i", "o", "g", [], "r", {}),
    ),
    ({"output": 1, "topic": "a"}, ScorerRun(output=1, metadata={"topic": "a"})),
    (
        {"output": 1, "topic": "a", "metadata": {"topic": "b", "x": 1}},
        ScorerRun(output=1, metadata={"topic": "b", "x": 1}),
    ),
    ({"output": 1, "metadata": None}, ScorerRun(output=1)),
    ({"output": 1, "metadata": {}}, ScorerRun(output=1, metadata={})),
    ({"output": 1, "runId": 0}, ScorerRun(output=1, run_id="0")),
    ({"output": 1, "runId": ""}, ScorerRun(output=1)),
]


@pytest.mark.parametrize(("row", "run"), FORMED)
def test_known_columns_are_fields_and_the_rest_is_metadata(row, run):
    assert formed(row) == (run, None)


@pytest.mark.parametrize("row", [[], None, "text", 1, {"output": 1, "metadata": "x"}, {"output": 1, "runId": False}])
def test_what_is_no_record_is_a_bad_record(row):
    run, error = formed(row)
    assert run is None
    assert error is not None
    assert error.code == "bad-record"


NO = ("step-failed", "no")


def failing(_row):
    raise RecordError(*NO)


ROW = {"response": {"text": ["a", "b"]}, "truth": '{"x": 1}', "a.b": "dotted", "n": 1, "output": "old"}
MAPPED = [
    (
        {"output": ("path", "response.text.1")},
        "b",
        {"response": {"text": ["a", "b"]}, "truth": '{"x": 1}', "a.b": "dotted", "n": 1},
    ),
    ({"output": ("path", "response")}, {"text": ["a", "b"]}, {"truth": '{"x": 1}', "a.b": "dotted", "n": 1}),
    ({"output": ("json", "truth")}, {"x": 1}, {"response": {"text": ["a", "b"]}, "a.b": "dotted", "n": 1}),
    (
        {"output": ("path", "a.b")},
        "dotted",
        {"response": {"text": ["a", "b"]}, "truth": '{"x": 1}', "a.b": "dotted", "n": 1},
    ),
    (
        {"output": lambda row: row["n"] + 1, "metadata": ("path", "response")},
        2,
        {"truth": '{"x": 1}', "a.b": "dotted", "n": 1, "text": ["a", "b"]},
    ),
]


@pytest.mark.parametrize(("fields", "output", "metadata"), MAPPED)
def test_fields_come_from_where_they_are_mapped_to(fields, output, metadata):
    run, error = Mapped(fields)(ROW)
    assert error is None
    assert run is not None
    assert (run.output, run.metadata) == (output, metadata)


BAD = [
    ({"output": ("path", "response.none")}, "missing-output"),
    ({"output": ("path", "response.text.2")}, "missing-output"),
    ({"output": ("path", "response.text.99999999999999")}, "missing-output"),
    ({"output": ("json", "a.b")}, "bad-record"),
    ({"output": failing}, "step-failed"),
    ({"metadata": ("path", "n")}, "bad-record"),
    ({"runId": ("path", "response")}, "bad-record"),
]


@pytest.mark.parametrize(("fields", "code"), BAD)
def test_a_source_that_fails_fails_the_record(fields, code):
    _, error = Mapped(fields)(ROW)
    assert error is not None
    assert error.code == code


def test_a_missing_source_is_named():
    _, error = Mapped({"output": ("path", "answer")})({"respnse": 1})
    assert error is not None
    assert "'answer'" in error.message


def test_the_row_is_not_changed():
    row = {"a": 1, "output": 2, "metadata": {"x": 1}}
    copy = {**row, "metadata": {"x": 1}}
    Mapped({"input": ("path", "a")})(row)
    formed(row)
    assert row == copy
