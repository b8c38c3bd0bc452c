from __future__ import annotations

import gzip
import io
import json
import os
import threading

import pytest

from scorerkit.dataset import Cuts, Dataset
from scorerkit.errors import DataError, NothingSelected, RecordError


@pytest.fixture
def data(tmp_path):
    def make(content: str | bytes | list[dict], name: str = "runs.jsonl", **options) -> Dataset:
        if isinstance(content, list):
            content = "".join(json.dumps(row) + "\n" for row in content)
        file = tmp_path / name
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return Dataset(str(file), shown=name, **options)

    return make


def stream(content: str | bytes, **options) -> Dataset:
    raw = content.encode() if isinstance(content, str) else content
    return Dataset("-", stdin=io.BytesIO(raw), **options)


def ids(dataset: Dataset) -> list[str | None]:
    return [record.run.run_id if record.run else None for record in dataset]


def test_a_file_gives_the_same_records_as_often_as_wanted(data):
    dataset = data([{"runId": "a", "input": "q", "output": 1}, {"runId": "b", "input": "q", "output": None}])
    dataset.survey()
    first, second = list(dataset), list(dataset)
    assert first == second
    assert dataset.total == 2
    assert [record.run.output for record in first] == [1, None]
    assert first[1].at == {"path": "runs.jsonl", "line": 2}
    assert first[1].error is None
    assert first[1].raw == {"runId": "b", "input": "q", "output": None}


def test_a_broken_line_is_a_failed_record_with_its_line(data):
    dataset = data('{"runId":"r1","output":"a"}\n\n{"runId":"r3","outp')
    dataset.survey()
    records = list(dataset)
    assert [record.run is None for record in records] == [False, True]
    error = records[1].error
    assert (error.code, error.at) == ("bad-record", {"path": "runs.jsonl", "line": 3})
    assert "unterminated string at character 15" in error.message


def test_a_missing_output_keeps_the_id(data):
    record = next(iter(data([{"runId": "r2", "response": "a"}])))
    assert record.run.run_id == "r2"
    assert (record.error.code, record.error.at) == ("missing-output", {"path": "runs.jsonl", "line": 1})
    assert record.error.fix == "map the column that holds it: --map output=response"


@pytest.mark.parametrize(
    ("columns", "fix"),
    [
        (("id", "text", "Answer"), "map the column that holds it: --map output=Answer"),
        (("id", "question", "model_output", "text"), "map the column that holds it: --map output=model_output"),
        (("id", "lang"), "map the column that holds it: --map output=COLUMN"),
    ],
)
def test_the_likely_column_is_offered_for_the_output_and_no_other(data, columns, fix):
    error = next(iter(data([dict.fromkeys(columns, "a")]))).error
    assert error.fix == fix
    assert error.message == f"the record has no 'output'; it has {', '.join(map(repr, columns))}"


def test_a_column_that_no_header_has_is_refused_before_the_first_record(data):
    text = "id,response\n1,a\n"
    for dataset in (
        data(text, "a.csv", mapping={"output": ("path", "reponse")}),
        data(text.replace(",", "\t"), "a.tsv", mapping={"output": ("json", "reponse")}),
        stream(text, format="csv", mapping={"output": ("path", "reponse")}),
    ):
        with pytest.raises(DataError) as caught:
            list(dataset)
        assert "has no column 'reponse', from which 'output' is to be filled" in caught.value.message
        assert caught.value.fix == "did you mean 'response'?"


def test_a_path_into_a_column_is_not_a_column_that_is_missing(data):
    dataset = data('id,metadata\n1,"{""answer"": 2}"\n', "a.csv", mapping={"output": ("path", "metadata.answer")})
    assert [record.run.output for record in dataset] == [2]


def test_a_column_that_lines_lack_fails_the_records_that_lack_it(data):
    dataset = data([{"response": "a"}, {"respnse": "b"}], mapping={"output": ("path", "response")})
    good, bad = dataset
    assert (good.run.output, bad.error.fix) == ("a", "did you mean 'respnse'?")


def test_an_absent_id_is_a_hash_of_the_content_and_equal_contents_are_numbered(data):
    rows = [{"input": 1, "output": 2}, {"output": 2, "input": 1, "runId": ""}, {"input": 9, "output": 2}]
    dataset = data(rows)
    first, second, third = ids(dataset)
    assert len(first) == 16
    assert second == f"{first}-2"
    assert third != first
    assert ids(data([{"runId": "new", "output": 0}, *rows], "more.jsonl"))[1:] == [first, second, third]
    assert ids(stream("".join(json.dumps(row) + "\n" for row in rows))) == [first, second, third]


def test_a_derived_id_makes_way_for_the_same_id_given_by_hand(data):
    (derived,) = ids(data([{"output": 1}]))
    assert ids(data([{"output": 1}, {"runId": derived, "output": 2}], "both.jsonl")) == [f"{derived}-2", derived]


def test_duplicate_ids_are_refused_naming_both_lines(data):
    dataset = data([{"runId": name, "output": 1} for name in ("r1", "r2", "r1", "r2")])
    with pytest.raises(DataError) as caught:
        dataset.survey()
    error = caught.value
    assert (error.code, error.exit_code) == ("duplicate-run-id", 2)
    assert [(p.code, p.path, p.place.line, p.related[0].line) for p in error.problems] == [
        ("duplicate-run-id", "runs.jsonl", 3, 1),
        ("duplicate-run-id", "runs.jsonl", 4, 2),
    ]
    assert all(word in error.message for word in ("r1", "1", "3"))


def test_accepted_duplicates_get_numbers_that_nobody_has(data):
    names = ["a", "a", "a-2", "a", "a-3", "b", "b"]
    rows = [{"runId": name, "output": 1} for name in names]
    expected = ["a", "a-4", "a-2", "a-5", "a-3", "b", "b-2"]
    assert ids(data(rows, duplicate_ids="suffix")) == expected
    text = "".join(json.dumps(row) + "\n" for row in rows)
    streamed = ids(stream(text, duplicate_ids="suffix"))
    assert len(set(streamed)) == len(names)
    assert streamed[:2] == ["a", "a-2"]


def test_a_duplicate_in_a_stream_is_a_failed_record_naming_both_lines():
    records = list(stream('{"runId":"a","output":1}\n{"runId":"b","output":1}\n{"runId":"a","output":2}\n'))
    assert records[2].run is None
    assert records[2].error.code == "duplicate-run-id"
    assert "line 3" in records[2].error.message
    assert "line 1" in records[2].error.message


def test_a_number_is_an_id_and_other_kinds_are_not(data):
    records = list(data([{"runId": value, "output": 1} for value in (7, 1.5, True, ["x"])]))
    assert records[0].run.run_id == "7"
    assert [record.error.code for record in records[1:]] == ["bad-record"] * 3


def test_nothing_to_score_is_said(data):
    for dataset in (data("\n\n"), data("", "empty.jsonl"), data([{"output": 1}], "cut.jsonl", cuts=Cuts(limit=0))):
        with pytest.raises(NothingSelected) as caught:
            dataset.survey()
        assert caught.value.exit_code == 5
    with pytest.raises(NothingSelected):
        list(stream(""))


FOUR = ("step-failed", "four")


def keep_odd(row, run):
    if row["n"] == 4:
        raise RecordError(*FOUR)
    return bool(run["metadata"]["n"] % 2)


ROWS = [{"runId": f"r{n}", "output": 1, "n": n} for n in range(8)]


def test_a_filter_that_fails_fails_its_record_and_keeps_it(data):
    dataset = data(ROWS, cuts=Cuts(where=keep_odd))
    dataset.survey()
    assert dataset.total == 5
    records = list(dataset)
    assert [record.run.run_id for record in records] == ["r1", "r3", "r4", "r5", "r7"]
    assert (records[2].error.code, records[2].error.at) == ("step-failed", {"path": "runs.jsonl", "line": 5})


def test_cuts_come_in_their_order(data):
    dataset = data(ROWS, cuts=Cuts(where=keep_odd, limit=2))
    dataset.survey()
    assert (dataset.total, ids(dataset)) == (2, ["r1", "r3"])
    assert ids(stream("".join(json.dumps(row) + "\n" for row in ROWS), cuts=Cuts(where=keep_odd, limit=2))) == [
        "r1",
        "r3",
    ]


def test_a_sample_keeps_the_order_and_depends_on_the_seed_only(data):
    rows = [{"runId": f"r{n}", "output": 1} for n in range(200)]
    samples = []
    for seed in range(3):
        dataset = data(rows, cuts=Cuts(sample=20, seed=seed))
        dataset.survey()
        chosen = ids(dataset)
        assert (dataset.total, len(chosen)) == (20, 20)
        assert chosen == sorted(chosen, key=lambda name: int(name[1:]))
        samples.append(tuple(chosen))
    assert len(set(samples)) == 3
    more = data([{"runId": "x", "output": 1}, *rows], "more.jsonl", cuts=Cuts(sample=20, seed=0))
    assert len(set(ids(more)) & set(samples[0])) >= 19
    assert ids(data(rows, "small.jsonl", cuts=Cuts(sample=500))) == [row["runId"] for row in rows]


def test_shards_are_parts_of_the_whole_and_stable(data):
    rows = [{"runId": f"r{n}", "output": 1} for n in range(100)]
    parts = [ids(data(rows, f"{i}.jsonl", cuts=Cuts(shard=(i, 4)))) for i in range(1, 5)]
    assert sorted(name for part in parts for name in part) == sorted(row["runId"] for row in rows)
    assert all(10 < len(part) < 40 for part in parts)
    fewer = ids(data(rows[::-2], "fewer.jsonl", cuts=Cuts(shard=(1, 4))))
    assert set(fewer) <= set(parts[0])


def test_a_sample_of_a_stream_needs_a_file():
    with pytest.raises(DataError, match="needs a file"):
        stream("", cuts=Cuts(sample=1))


def test_a_stream_is_read_once():
    dataset = stream('{"output": 1}\n')
    assert len(list(dataset)) == 1
    assert dataset.total == 1
    with pytest.raises(DataError, match="only once"):
        list(dataset)


def test_a_pipe_is_a_stream(tmp_path):
    pipe = tmp_path / "runs.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=('{"runId": "a", "output": 1}\n',))
    writer.start()
    dataset = Dataset(str(pipe))
    dataset.survey()
    assert dataset.once
    assert ids(dataset) == ["a"]
    writer.join()


def test_lone_surrogates_are_mended_and_counted(data):
    dataset = data('{"runId":"r1","output":"cut \\ud83d here \\udc00"}\n{"runId":"r2","output":"\\ud83d\\ude00"}\n')
    records = list(dataset)
    assert [record.run.output for record in records] == ["cut \ufffd here \ufffd", "\U0001f600"]
    assert dataset.surrogates == 2
    list(dataset)
    assert dataset.surrogates == 2


ENCODINGS = [
    ('{"output": "x"}\n'.encode("utf-16"), "byte 0, line 1"),
    ('{"output": "x"}\n'.encode("utf-16-le"), "byte 0, line 1"),
    ('{"output": "x"}\n{"output": "é"}\n'.encode("cp1252"), "byte 28 (0xe9), line 2"),
]


@pytest.mark.parametrize(("raw", "has"), ENCODINGS)
def test_another_encoding_is_refused_before_scoring(data, raw, has):
    dataset = data(raw)
    with pytest.raises(DataError) as caught:
        dataset.survey()
    assert has in caught.value.message
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", ["jsonl", "yaml", "csv"])
def test_another_encoding_of_a_stream_is_refused(name):
    with pytest.raises(DataError):
        list(stream("runs: [é]\n".encode("utf-16"), format=name))


def test_a_wrong_byte_far_down_fails_its_line_only(data):
    row = b'{"output": "' + b"x" * 1000 + b'"}\n'
    raw = row * 100 + b'{"output": "\xe9"}\n' + row
    dataset = data(raw)
    dataset.survey()
    failed = [record for record in dataset if record.error]
    assert [record.error.at["line"] for record in failed] == [101]
    assert "byte 13 (0xe9)" in failed[0].error.message


def test_a_character_across_the_first_64_kib_is_no_wrong_byte(data):
    dataset = data(('{"output": "' + "x" * (64 * 1024 - 13) + 'é"}\n').encode())
    dataset.survey()
    assert dataset.total == 1


def test_what_cannot_be_read_is_said(data, tmp_path):
    (tmp_path / "folder.jsonl").mkdir()
    for name, code, has in [
        ("none.jsonl", "unreadable-file", "no file"),
        ("folder.jsonl", "unreadable-file", "folder"),
        ("a\0b.jsonl", "unreadable-file", "cannot be read"),
    ]:
        with pytest.raises(DataError, match=has) as caught:
            Dataset(str(tmp_path / name), shown=name)
        assert caught.value.code == code
    with pytest.raises(DataError, match="does not say its data format"):
        data("", "runs.txt")
    with pytest.raises(DataError, match="no data format 'xml'"):
        data("", "runs.jsonl", format="xml")
    assert len(list(data([{"output": 1}], "runs.txt", format="jsonl"))) == 1


def test_a_damaged_packed_file_is_said(data):
    packed = gzip.compress(b'{"output": 1}\n' * 10_000)
    for name, raw in [("cut.jsonl.gz", packed[:-20]), ("no.jsonl.gz", b"not packed"), ("no.jsonl.zst", b"not packed")]:
        with pytest.raises(DataError, match="damaged"):
            data(raw, name).survey()


def test_a_mapping_may_give_the_id(data):
    dataset = data([{"q": {"id": 7}, "output": 1}, {"q": {"id": 8}, "output": 1}], mapping={"runId": ("path", "q.id")})
    assert ids(dataset) == ["7", "8"]
    with pytest.raises(DataError, match="'7' is given twice"):
        data([{"q": {"id": 7}, "output": 1}] * 2, "twice.jsonl", mapping={"runId": ("path", "q.id")}).survey()


def test_a_limit_reads_no_further_than_it_must(data):
    text = '{"runId": "a", "output": 1}\n' * 2
    dataset = data(text, cuts=Cuts(limit=1))
    dataset.survey()
    assert (dataset.total, ids(dataset)) == (1, ["a"])


def test_equal_contents_keep_their_numbers_whatever_is_filtered(data):
    rows = [{"output": 1}, {"output": 2}, {"output": 1}, {"output": 1}]
    everyone = ids(data(rows))
    seen = []
    last = Cuts(where=lambda _row, _run: seen.append(1) or len(seen) % 4 == 0)
    assert ids(data(rows, cuts=last)) == everyone[3:]
