from __future__ import annotations

import datetime as dt
import decimal
import gzip
import io
import json
import sys

import pyarrow as pa
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from scorerkit.dataset import Dataset
from scorerkit.dataset.feed import Feed
from scorerkit.dataset.formats import FORMATS, format_module, format_of
from scorerkit.errors import DataError, MissingExtra, NothingSelected, RecordError


def read(name: str, text: str | bytes, json_columns=()) -> list[tuple]:
    raw = text.encode() if isinstance(text, str) else text
    feed = Feed(io.BytesIO(raw), f"runs.{name}", frozenset(json_columns))
    return [
        (row.code if isinstance(row, RecordError) else row, number) for row, number in format_module(name).rows(feed)
    ]


NAMES = [
    ("runs.jsonl", "jsonl"),
    ("a/b.c/runs.NDJSON", "jsonl"),
    ("runs.json.gz", "json"),
    ("runs.csv.zst", "csv"),
    ("runs.tsv", "tsv"),
    ("runs.yml", "yaml"),
    ("runs.parquet", "parquet"),
]


@pytest.mark.parametrize(("path", "name"), NAMES)
def test_the_suffix_says_the_format(path, name):
    assert format_of(path) == name


@pytest.mark.parametrize("path", ["runs", "runs.txt", "runs.gz", "csv", "a.csv/runs"])
def test_other_suffixes_say_nothing(path):
    with pytest.raises(DataError):
        format_of(path)


def test_every_format_has_a_module():
    assert all(format_module(name).UNIT in {"line", "record"} for name in FORMATS)


LINES = [
    ("", []),
    ("\n\n", []),
    ('{"a":1}\n', [({"a": 1}, 1)]),
    ('\n{"a":1}\n\n   \n{"a":2}\n\n\n', [({"a": 1}, 2), ({"a": 2}, 5)]),
    ('{"a":1}\r\n \r\n{"a":2}', [({"a": 1}, 1), ({"a": 2}, 3)]),
    ('\ufeff{"a":1}\n', [({"a": 1}, 1)]),
    ('{"a":"x\u2028y\x85z\x0c"}\n'.replace("\x0c", "\\f"), [({"a": "x\u2028y\x85z\x0c"}, 1)]),
    ('{"a":1,"a":2}\n', [({"a": 2}, 1)]),
    ('{"a":NaN}\n{"a":-Infinity}\n{"a":1e999}\n', [("bad-record", 1), ("bad-record", 2), ("bad-record", 3)]),
    ('{"a":"\\u0000"}\n', [({"a": "\0"}, 1)]),
    ("[1]\nnull\n3\n", [([1], 1), (None, 2), (3, 3)]),
    ('{"a":"\\ud83d","n":123456789012345678901}\n', [({"a": "\ufffd", "n": 1.2345678901234568e20}, 1)]),
    ("[" * 5000 + "]" * 5000 + "\n1\n", [("bad-record", 1), (1, 2)]),
    ("9" * 5000 + "\n", [("bad-record", 1)]),
]


@pytest.mark.parametrize(("text", "rows"), LINES)
def test_jsonl_is_one_value_a_line(text, rows):
    assert read("jsonl", text) == rows


def test_a_wrong_byte_in_a_line_is_named():
    (row,) = [row for row, _ in format_module("jsonl").rows(Feed(io.BytesIO(b'{"a":"\xff"}\n'), "x"))]
    assert isinstance(row, RecordError)
    assert "byte 7 (0xff)" in row.message


def test_a_line_that_never_ends_is_not_held(monkeypatch):
    from scorerkit.dataset.formats import json_lines

    monkeypatch.setattr(json_lines, "LONGEST", 100)
    assert read("jsonl", '"' + "x" * 1000 + '"\n1\n') == [("bad-record", 1), (1, 2)]
    assert read("jsonl", '1\n"' + "x" * 1000) == [(1, 1), ("bad-record", 2)]


DOCUMENTS = [
    ("json", '[{"a":1},2]', [({"a": 1}, 1), (2, 2)]),
    ("json", '{"runs":[{"a":1}]}', [({"a": 1}, 1)]),
    ("json", "", []),
    ("json", "[]", []),
    ("json", '["\\ud83d"]', [("\ufffd", 1)]),
    ("yaml", "- a: 1\n  b: no\n- a: 2\n", [({"a": 1, "b": "no"}, 1), ({"a": 2}, 3)]),
    ("yaml", "runs:\n  - {a: 1}\n  - {a: 2}\n", [({"a": 1}, 2), ({"a": 2}, 3)]),
    ("yaml", "# nothing\n", []),
]


@pytest.mark.parametrize(("name", "text", "rows"), DOCUMENTS)
def test_a_document_is_a_list_of_records(name, text, rows):
    assert read(name, text) == rows


BAD_DOCUMENTS = [
    ("json", '[{"a":1},\n{"a":}]', "bad-record", "line 2, character 6"),
    ("json", '{"a":1}', "bad-record", "'runs'"),
    ("json", "3", "bad-record", "'runs'"),
    ("json", "[NaN]", "bad-record", "NaN"),
    ("json", '{"runs":{}}', "bad-record", "'runs'"),
    ("json", '{"resourceSpans":[]}', "unknown-format", "traces"),
    ("json", '{"trace":{},"observations":[]}', "unknown-format", "traces"),
    ("json", '[{"spanId":"a"}]', "unknown-format", "traces"),
    ("yaml", "a: 1\na: 2\n", "duplicate-key", "'a' is given twice"),
    ("yaml", "text", "bad-record", "'runs'"),
    ("yaml", "x" * (1024 * 1024 + 1), "unreadable-file", "1 MiB"),
    ("csv", ",\n", "bad-record", "no names"),
    ("csv", "a,b,a\n1,2,3\n", "bad-record", "'a' twice"),
    ("csv", 'a,"b\n1,2', "bad-record", "header"),
    ("parquet", "not parquet", "unreadable-file", "cannot be read"),
]


@pytest.mark.parametrize(("name", "text", "code", "has"), BAD_DOCUMENTS)
def test_a_document_without_records_is_an_error(name, text, code, has):
    with pytest.raises(DataError) as caught:
        read(name, text)
    assert caught.value.code == code
    assert has in caught.value.message


TABLES = [
    ("csv", "", []),
    ("csv", "output\n", []),
    ("csv", "\ufeffrunId,output\nr1,東京\n", [({"runId": "r1", "output": "東京"}, 2)]),
    (
        "csv",
        "output,x\n007,NA\n1e5,true\n,\n",
        [({"output": "007", "x": "NA"}, 2), ({"output": "1e5", "x": "true"}, 3), ({"output": "", "x": ""}, 4)],
    ),
    ("csv", "a,b\n1,2,3\n4\n5,6\n", [("bad-record", 2), ("bad-record", 3), ({"a": "5", "b": "6"}, 4)]),
    ("csv", 'a,b\n"x\ny",2\n\n3,4\n', [({"a": "x\ny", "b": "2"}, 2), ({"a": "3", "b": "4"}, 5)]),
    ("csv", "a,b\r\n1,2\r\n", [({"a": "1", "b": "2"}, 2)]),
    ("csv", 'a,b\n"x"y,2\n3,4\n', [("bad-record", 2), ({"a": "3", "b": "4"}, 3)]),
    ("csv", 'a,b\n1,2\n"x,4\n', [({"a": "1", "b": "2"}, 2), ("bad-record", 3)]),
    ("csv", "a,b\n1,\0\n", [({"a": "1", "b": "\0"}, 2)]),
    ("csv", ",output\n0,x\n", [({"column 1": "0", "output": "x"}, 2)]),
    ("csv", "runId,output\n,x\n", [({"output": "x"}, 2)]),
    (
        "csv",
        'output,metadata\nx,"{""a"": 1}"\ny,\n',
        [({"output": "x", "metadata": {"a": 1}}, 2), ({"output": "y"}, 3)],
    ),
    ("csv", "output,metadata\nx,{a}\ny,z\n", [("bad-record", 2), ({"output": "y", "metadata": "z"}, 3)]),
    ("tsv", "a\tb\n1,5\t2\n", [({"a": "1,5", "b": "2"}, 2)]),
]


@pytest.mark.parametrize(("name", "text", "rows"), TABLES)
def test_a_table_is_text_under_a_header(name, text, rows):
    assert read(name, text) == rows


def test_a_column_can_be_declared_json():
    assert read("csv", "output,x\n[1],[1]\n,\n{,2\n", ["output"]) == [
        ({"output": [1], "x": "[1]"}, 2),
        ({"x": ""}, 3),
        ("bad-record", 4),
    ]


def test_a_wrong_byte_in_a_table_fails_its_row():
    assert read("csv", b"a,b\n1,\xe9\n2,x\n") == [("bad-record", 2), ({"a": "2", "b": "x"}, 3)]


def test_a_cell_may_be_very_long():
    assert read("csv", f"a\n{'x' * 5_000_000}\n")[0][0] == {"a": "x" * 5_000_000}


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.dictionaries(st.text(max_size=5), st.none() | st.text() | st.integers(-(2**63), 2**63), max_size=4),
        max_size=6,
    )
)
def test_what_json_writes_is_read_back(rows):
    text = "".join(json.dumps(row, ensure_ascii=index % 2 == 0) + "\n" for index, row in enumerate(rows))
    assert [row for row, _ in read("jsonl", text.encode(errors="surrogatepass"))] == rows


def test_parquet_rows_become_json():
    table = pa.table(
        {
            "output": ["a", None],
            "n": [1, 2],
            "f": [1.5, float("nan")],
            "day": [dt.date(2024, 1, 31), None],
            "price": [decimal.Decimal("1.5"), None],
            "nested": [{"x": [1, 2]}, None],
            "map": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int64())),
        }
    )
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    assert read("parquet", sink.getvalue()) == [
        (
            {
                "output": "a",
                "n": 1,
                "f": 1.5,
                "day": "2024-01-31",
                "price": 1.5,
                "nested": {"x": [1, 2]},
                "map": {"k": 1},
            },
            1,
        ),
        ({"output": None, "n": 2, "f": None, "day": None, "price": None, "nested": None, "map": []}, 2),
    ]


def test_parquet_values_that_json_lacks_fail_their_record():
    sink = io.BytesIO()
    parquet.write_table(pa.table({"output": [b"\xff", b"a"]}), sink)
    assert [row for row, _ in read("parquet", sink.getvalue())] == ["bad-record"] * 2
    sink = io.BytesIO()
    parquet.write_table(pa.table({"output": [float("inf"), 1.0]}), sink)
    assert [row for row, _ in read("parquet", sink.getvalue())] == ["bad-record", {"output": 1.0}]


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("zst", zstandard.ZstdCompressor().compress)])
def test_packed_files_are_read(tmp_path, suffix, pack):
    file = tmp_path / f"runs.jsonl.{suffix}"
    file.write_bytes(pack(b'{"output": 1}\n') + pack(b'{"output": 2}\n'))
    dataset = Dataset(str(file))
    dataset.survey()
    assert [record.run.output for record in dataset] == [1, 2]


@pytest.mark.parametrize(("module", "name"), [("zstandard", "runs.jsonl.zst"), ("pyarrow", "runs.parquet")])
def test_a_missing_library_says_what_to_install(tmp_path, monkeypatch, module, name):
    (tmp_path / name).write_bytes(b"x")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match="needs the extra"):
        Dataset(str(tmp_path / name)).survey()


def test_an_empty_table_holds_nothing(tmp_path):
    (tmp_path / "runs.csv").write_text("output\n")
    with pytest.raises(NothingSelected):
        Dataset(str(tmp_path / "runs.csv")).survey()
