import json

import pytest

from scorerkit.errors import ScorerkitError
from scorerkit.judge.digest import digest
from scorerkit.judge.recording import Header, Recordings, line_of, order, read
from scorerkit.judge.transport import Reply, Request
from scorerkit.model.judge import Message, Target

HEADER = '{"scorerkit": "recordings", "version": 1, "match": "request"}'


def request(run_id="r1", step="generateScore", text="q", sample=0):
    return Request(Target("openai", "m"), (Message("user", text),), None, False, {}, run_id, step, sample)


def file(tmp_path, *lines, header=HEADER, name="rec.jsonl"):
    path = tmp_path / name
    path.write_text("\n".join([header, *(line if isinstance(line, str) else json.dumps(line) for line in lines), ""]))
    return path


def test_a_line_has_stable_keys_and_no_times():
    line = line_of(request(), Reply("a", "stop", usage={"inputTokens": 1}, model="m-1"), "d")
    assert list(line) == ["request", "model", "runId", "step", "sample", "messages", "answer", "finishReason", "usage"]
    assert "refusal" in line_of(request(), Reply("", "stop", "No."), "d")


def test_an_answer_is_found_by_its_request(tmp_path):
    asked = request()
    path = file(tmp_path, line_of(asked, Reply("a", "stop", usage={"inputTokens": 1}, model="m-1"), digest(asked)))
    found = Recordings.load([path]).find(asked, digest(asked))
    assert found == Reply("a", "stop", None, {"inputTokens": 1}, "m-1", recorded="replay")
    assert Recordings.load([path]).find(request(text="other"), digest(request(text="other"))) is None


def test_of_equal_requests_each_record_gets_its_own_answer(tmp_path):
    one, two = request("r1"), request("r2")
    lines = [line_of(r, Reply(a), digest(r)) for r, a in ((one, "1"), (two, "2"))]
    recordings = Recordings.load([file(tmp_path, *lines)])
    assert [recordings.find(r, digest(r)).text for r in (one, two, request("r3"))] == ["1", "2", "1"]


def test_answers_from_elsewhere_are_found_by_record_step_and_sample(tmp_path):
    header = json.dumps({"scorerkit": "recordings", "version": 1, "match": "record", "source": "a paper"})
    lines = [
        {"runId": 7, "step": "generateScore", "answer": {"score": 1}},
        {"runId": "7", "step": "generateScore", "sample": 1, "answer": "text"},
    ]
    recordings = Recordings.load([file(tmp_path, *lines, header=header)])
    found = recordings.find(request("7", text="anything"), "no digest")
    assert (found.text, found.recorded, found.source) == ('{"score": 1}', "external", "a paper")
    assert recordings.find(request("7", sample=1), "").text == "text"
    assert recordings.find(request("7", step="analyze"), "") is None


def test_two_different_answers_for_one_record_are_an_error(tmp_path):
    header = json.dumps({"scorerkit": "recordings", "version": 1, "match": "record"})
    line = {"runId": "7", "step": "analyze", "answer": "a"}
    assert Recordings.load([file(tmp_path, line, line, header=header)])
    with pytest.raises(ScorerkitError, match=r"rec\.jsonl:3: a second, different answer"):
        Recordings.load([file(tmp_path, line, {**line, "answer": "b"}, header=header)])


def test_earlier_files_win(tmp_path):
    asked = request()
    paths = [file(tmp_path, line_of(asked, Reply(a), digest(asked)), name=f"{a}.jsonl") for a in "ab"]
    assert Recordings.load(paths).find(asked, digest(asked)).text == "a"


@pytest.mark.parametrize(
    ("lines", "header", "told"),
    [
        (["{broken"], HEADER, r":2: this line of the recording is not a JSON object"),
        (["[" * 100_000], HEADER, r":2: this line"),
        (["", '{"step": "a", "answer": "b"}'], HEADER, r":3: this recorded answer has no 'request'"),
        ([{"request": "d", "step": "a"}], HEADER, r":2: this recorded answer has no 'answer'"),
        ([], '{"runId": "r1"}', r":1: the header of a recording is missing"),
        ([], "", r":1: the header of a recording is missing"),
        ([], '{"scorerkit": "recordings", "version": 2, "match": "request"}', r"version 2"),
        ([], '{"scorerkit": "recordings", "version": 1, "match": "guess"}', r"match 'guess'"),
    ],
)
def test_what_cannot_be_used_is_told_with_path_and_line(tmp_path, lines, header, told):
    with pytest.raises(ScorerkitError, match=rf"rec\.jsonl{told}" if told.startswith(":") else told):
        read(file(tmp_path, *lines, header=header))


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path):
    with pytest.raises(ScorerkitError, match="cannot be read"):
        read(tmp_path / "none.jsonl")
    (tmp_path / "bin").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScorerkitError, match="cannot be read"):
        read(tmp_path / "bin")


def test_unusual_line_separators_inside_an_answer_are_text(tmp_path):
    asked = request()
    line = line_of(asked, Reply("a\u2028b\u0085c"), digest(asked))
    path = tmp_path / "rec.jsonl"
    path.write_text(f"{HEADER}\r\n{json.dumps(line, ensure_ascii=False)}\r\n", newline="")
    assert Recordings.load([path]).find(asked, digest(asked)).text == "a\u2028b\u0085c"


def test_lines_are_ordered_by_record_step_sample_and_conversation():
    def line(run_id, step, sample=0, messages=1):
        return {"runId": run_id, "step": step, "sample": sample, "messages": [0] * messages, "request": "d"}

    right = [
        line(None, "analyze"),
        line("a", "preprocess"),
        line("a", "analyze"),
        line("a", "generateScore"),
        line("a", "generateScore", messages=3),
        line("a", "generateScore", sample=1),
        line("a", "generateReason"),
        line("b", "preprocess"),
    ]
    assert sorted([*right[4:], *right[:4]], key=order) == right


def test_a_header_says_where_answers_come_from():
    assert Header("record", "a paper", "scripted").to_json() == {
        "scorerkit": "recordings",
        "version": 1,
        "match": "record",
        "source": "a paper",
        "note": "scripted",
    }
