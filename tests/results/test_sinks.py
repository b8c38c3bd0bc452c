from __future__ import annotations

import csv
import errno
import io
import json
import os
import pathlib
import subprocess
import sys

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import scorerkit
from scorerkit.errors import Inconclusive, MissingExtra, ScorerkitError
from scorerkit.results import blocks
from scorerkit.results.flat import FIXED, MORE
from scorerkit.results.sinks import MODULE_OF_SUFFIX, open_sink
from scorerkit.results.sinks.csv_table import csv_line

ROOT = pathlib.Path(scorerkit.__file__).parents[1]
RESULT = {
    "runId": "r1",
    "status": "scored",
    "score": 1,
    "passed": True,
    "reason": None,
    "scorer": {"id": "x", "name": "関連性", "version": None, "digest": "d"},
    "durationMs": 0.5,
    "metadata": {"topic": "a", "deep": {"n": 1}},
}
FAILED = {
    "runId": None,
    "status": "failed",
    "score": None,
    "error": {"code": "bad-record", "message": "no", "at": {"path": "runs.jsonl", "line": 3}},
    "scorer": {"id": "x"},
    "metadata": None,
}


def lines(*results: dict) -> list[bytes]:
    return [orjson.dumps(result) + b"\n" for result in results]


def write_all(sink, given: list[bytes]) -> None:
    for line in given:
        sink.write(line)


def written(target, *results: dict) -> None:
    sink = open_sink(str(target))
    write_all(sink, lines(*results))
    sink.finish()


@pytest.mark.parametrize("suffix", MODULE_OF_SUFFIX)
def test_a_file_has_its_name_only_when_it_is_whole(tmp_path, suffix):
    target = tmp_path / f"out{suffix}"
    sink = open_sink(str(target))
    for line in lines(RESULT, FAILED):
        sink.write(line)
    assert [path.name for path in tmp_path.iterdir()] == [f"out{suffix}.partial"]
    sink.finish()
    assert [path.name for path in tmp_path.iterdir()] == [f"out{suffix}"]


@pytest.mark.parametrize("suffix", MODULE_OF_SUFFIX)
def test_what_was_written_before_a_failure_is_kept_under_another_name(tmp_path, suffix):
    target = tmp_path / f"out{suffix}"
    target.write_text("earlier")
    sink = open_sink(str(target))
    sink.write(lines(RESULT)[0])
    sink.abort()
    assert target.read_text() == "earlier"
    assert "r1" in (tmp_path / f"out{suffix}.partial").read_text()


@pytest.mark.parametrize("suffix", MODULE_OF_SUFFIX)
def test_an_experiment_without_results_leaves_nothing(tmp_path, suffix):
    sink = open_sink(str(tmp_path / f"out{suffix}"))
    sink.abort()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("count", [0, 1, 2, 250])
def test_json_is_one_list(tmp_path, count):
    written(tmp_path / "out.json", *[RESULT] * count)
    assert json.loads((tmp_path / "out.json").read_text()) == [RESULT] * count


def test_jsonl_is_what_was_given(tmp_path):
    written(tmp_path / "out.jsonl", RESULT, FAILED)
    assert (tmp_path / "out.jsonl").read_bytes() == b"".join(lines(RESULT, FAILED))


def table(path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))


def test_csv_has_dotted_columns(tmp_path):
    written(tmp_path / "out.csv", RESULT, FAILED)
    first, second = table(tmp_path / "out.csv")
    assert tuple(first) == (*FIXED, "metadata.topic", "metadata.deep.n", MORE)
    assert {
        name: first[name]
        for name in ("runId", "score", "passed", "reason", "scorer.name", "scorer.version", "durationMs")
    } == {
        "runId": "r1",
        "score": "1",
        "passed": "true",
        "reason": "",
        "scorer.name": "関連性",
        "scorer.version": "",
        "durationMs": "0.5",
    }
    assert (first["metadata.topic"], first["metadata.deep.n"], first["error.code"]) == ("a", "1", "")
    assert (second["runId"], second["error.code"], second["error.at"]) == (
        "",
        "bad-record",
        '{"path":"runs.jsonl","line":3}',
    )
    assert b"\r" not in (tmp_path / "out.csv").read_bytes()


def test_metadata_that_comes_late_stays_in_one_column(tmp_path):
    late = {**RESULT, "metadata": {"topic": "b", "new": {"x": [1]}}}
    written(tmp_path / "out.csv", *[RESULT] * 100, late)
    rows = table(tmp_path / "out.csv")
    assert rows[0][MORE] == ""
    assert (rows[100]["metadata.topic"], rows[100][MORE]) == ("b", '{"metadata.new.x":[1]}')


def test_two_ways_to_one_column_lose_nothing(tmp_path):
    written(tmp_path / "out.csv", {**RESULT, "metadata": {"a.b": 1, "a": {"b": 2}}})
    (row,) = table(tmp_path / "out.csv")
    assert (row["metadata.a.b"], row[MORE]) == ("1", '{"metadata.a.b":2}')


def test_the_record_has_columns_where_it_is_included(tmp_path):
    written(tmp_path / "out.csv", {**RESULT, "run": {"input": "q", "output": {"x": 1}, "runId": "r1"}})
    (row,) = table(tmp_path / "out.csv")
    assert (row["run.input"], row["run.output"], row["run.groundTruth"]) == ("q", '{"x":1}', "")


CELLS = [
    (None, ""),
    ("", ""),
    ("a", "a"),
    ("a,b", '"a,b"'),
    ('say "x"', '"say ""x"""'),
    ("a\nb", '"a\nb"'),
    ("a\rb", '"a\rb"'),
    ("=1+1", "'=1+1"),
    ("+1", "'+1"),
    ("-1", "'-1"),
    ("@x", "'@x"),
    ("\tx", "'\tx"),
    ("\r=x", '"\'\r=x"'),
    ("\n=x", '"\'\n=x"'),
    ('=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'),
    (-1, "-1"),
    (-0.5, "-0.5"),
    (1e-7, "1e-7"),
    (True, "true"),
    ([1, "=x"], '"[1,""=x""]"'),
    ("a\0b", "a\u2400b"),
]


@pytest.mark.parametrize(("value", "text"), CELLS)
def test_a_cell_is_safe_and_one_cell(value, text):
    assert csv_line([value, 0]).decode() == f"{text},0\n"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=("Cs",))), min_size=2, max_size=5))
def test_csv_text_is_read_back(cells):
    (row,) = csv.reader(io.StringIO(csv_line(cells).decode(), newline=""))
    assert [text.removeprefix("'") for text in row] == [
        cell.replace("\0", "\u2400").removeprefix("'") for cell in cells
    ]


def test_parquet_has_the_columns_of_csv_and_typed_numbers(tmp_path):
    written(tmp_path / "out.parquet", *[RESULT, FAILED] * 600)
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert len(rows) == 1200
    first = rows[0]
    assert (first["score"], first["durationMs"], first["passed"]) == (1.0, 0.5, True)
    assert (first["scorer.name"], first["metadata.deep.n"], first["reason"]) == ("関連性", "1", None)
    assert rows[1]["score"] is None
    assert rows[1]["error.at"] == '{"path":"runs.jsonl","line":3}'
    assert tuple(first) == (*FIXED, "metadata.topic", "metadata.deep.n", MORE)


def test_parquet_of_nothing_is_an_empty_table(tmp_path):
    written(tmp_path / "out.parquet")
    assert parquet.read_table(tmp_path / "out.parquet").num_rows == 0


def test_a_missing_library_is_said_before_anything_is_scored(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra):
        open_sink(str(tmp_path / "out.parquet"))
    assert not list(tmp_path.iterdir())


def test_a_target_that_cannot_be_is_said_at_once(tmp_path):
    (tmp_path / "folder.jsonl").mkdir()
    for name, has in [
        ("out.txt", "does not say a format"),
        ("out", "does not say a format"),
        ("none/out.jsonl", "no folder"),
        ("folder.jsonl", "is a folder"),
        ("a\0b.jsonl", "cannot be written"),
        ("x" * 300 + ".jsonl", "cannot be written"),
    ]:
        with pytest.raises(ScorerkitError, match=has):
            open_sink(str(tmp_path / name))


def test_one_file_is_not_written_twice_at_a_time(tmp_path):
    target = str(tmp_path / "out.jsonl")
    first = open_sink(target)
    first.write(b"{}\n")
    with pytest.raises(ScorerkitError, match="being written already"):
        open_sink(target)
    first.finish()
    assert (tmp_path / "out.jsonl").read_bytes() == b"{}\n"
    open_sink(target).abort()


def test_a_link_is_followed_and_not_replaced(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "out.jsonl").symlink_to(tmp_path / "real" / "out.jsonl")
    written(tmp_path / "out.jsonl", RESULT)
    assert (tmp_path / "out.jsonl").is_symlink()
    assert (tmp_path / "real" / "out.jsonl").exists()


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".json"])
def test_a_full_disk_stops_the_experiment(tmp_path, suffix):
    (tmp_path / f"out{suffix}").symlink_to("/dev/full")
    sink = open_sink(str(tmp_path / f"out{suffix}"))
    line = orjson.dumps({**RESULT, "reason": "x" * 1000}) + b"\n"
    with pytest.raises(Inconclusive, match="No space left") as caught:
        write_all(sink, [line] * 300)
    assert caught.value.exit_code == 3
    with pytest.raises(Inconclusive):
        sink.finish()
    sink.abort()


def test_a_parquet_file_that_cannot_be_made_leaves_the_lines(tmp_path, monkeypatch):
    from scorerkit.results.sinks import parquet_file

    def full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(parquet_file, "_write", full)
    sink = open_sink(str(tmp_path / "out.parquet"))
    sink.write(lines(RESULT)[0])
    with pytest.raises(Inconclusive, match="No space left"):
        sink.finish()
    sink.abort()
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet.partial"]


def test_parquet_needs_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.parquet")
    reader = os.open(tmp_path / "pipe.parquet", os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(ScorerkitError, match="needs a file"):
        open_sink(str(tmp_path / "pipe.parquet"))
    os.close(reader)


def test_lines_reach_the_file_within_half_a_second_of_the_next(tmp_path, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(blocks.time, "monotonic", lambda: now[0])
    sink = open_sink(str(tmp_path / "out.jsonl"))
    partial = tmp_path / "out.jsonl.partial"
    sink.write(b"1\n")
    assert partial.read_bytes() == b""
    now[0] += blocks.DELAY
    sink.write(b"2\n")
    assert partial.read_bytes() == b"1\n2\n"
    sink.abort()


WRITE = """
import scorerkit
from scorerkit.errors import Inconclusive
from scorerkit.results.sinks import open_sink
sink = open_sink("-")
try:
    for _ in range(LINES):
        sink.write(b'{"runId": "r"}\\n')
    sink.finish()
except Inconclusive as error:
    sink.abort()
    raise SystemExit(error.exit_code) from None
"""


def run(count: int) -> subprocess.Popen[bytes]:
    script = WRITE.replace("LINES", str(count))
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)


def test_stdout_is_lines_and_nothing_else():
    with run(3) as process:
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, b'{"runId": "r"}\n' * 3, b"")


def test_a_closed_pipe_ends_without_a_traceback():
    with run(500_000) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
    assert (process.returncode, err) == (3, b"")
