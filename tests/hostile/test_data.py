"""Data made to take all memory, to crash the run, or to lose records without a word."""

import gzip
import json

import pytest
import zstandard

from scorerkit.dataset.formats import json_lines

SCORER = "id: t\ndescription: x\nsteps:\n  generateScore:\n    expression: run.output|string|length\n"
LINE = '{"output": "a"}\n'


@pytest.fixture
def score(run, write):
    write("s.yaml", SCORER)

    def score(name, *more):
        said = run("run", "s.yaml", "--data", name, "--output", "-", "--no-store", "--quiet", *more)
        return said.exit, [(row["status"], (row["error"] or {}).get("code")) for row in said.results]

    return score


def nested(levels):
    return f'{{"output": {"[" * levels}{"]" * levels}}}\n'


@pytest.mark.parametrize("run_id", ["", '"runId": "r", "metadata": {"a": 1}, '])
def test_a_record_that_is_nested_too_deeply_fails_alone(score, write, run_id):
    write("d.jsonl", nested(900).replace("{", "{" + run_id, 1) + nested(100_000) + LINE)
    failed = ("failed", "bad-record")
    assert score("d.jsonl") == (3, [failed, failed, ("scored", None)])


def test_so_it_does_in_a_list_and_in_a_cell(score, write):
    write("d.json", json.dumps([json.loads(nested(700)), {"output": "a"}]))
    assert score("d.json") == (3, [("failed", "bad-record"), ("scored", None)])
    write("d.csv", f'output,metadata\na,"{{""a"": {"[" * 700}{"]" * 700}}}"\nb,\n')
    assert score("d.csv") == (3, [("failed", "bad-record"), ("scored", None)])


def test_a_line_has_a_greatest_length(score, write, monkeypatch):
    monkeypatch.setattr(json_lines, "LONGEST", 1000)
    write("d.jsonl", LINE + '{"output": "' + "a" * 5000 + '"}\n' + LINE)
    assert score("d.jsonl") == (3, [("scored", None), ("failed", "bad-record"), ("scored", None)])


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_packed_file_that_is_cut_short_is_an_error(score, tmp_path, pack):
    name = f"d.jsonl.{'gz' if pack is gzip.compress else 'zst'}"
    text = "".join(json.dumps({"runId": str(number), "output": "a"}) + "\n" for number in range(5000))
    packed = pack(text.encode())
    (tmp_path / name).write_bytes(packed)
    assert score(name) == (0, [("scored", None)] * 5000)
    for end in (len(packed) // 2, len(packed) - 1):
        (tmp_path / name).write_bytes(packed[:end])
        assert score(name) == (2, [])


def test_frames_that_follow_each_other_are_one_file(score, tmp_path):
    frames = [zstandard.compress(f'{{"runId": "{number}", "output": "a"}}\n'.encode()) for number in range(3)]
    (tmp_path / "d.jsonl.zst").write_bytes(b"".join(frames))
    assert score("d.jsonl.zst") == (0, [("scored", None)] * 3)


@pytest.mark.parametrize("option", ["--limit", "--sample", "-j", "--max-requests"])
def test_a_count_beyond_all_counting_is_a_usage_error(score, write, option):
    write("d.jsonl", LINE)
    assert score("d.jsonl", option, "9" * 30) == (2, [])


@pytest.mark.parametrize("option", ["--fail-under", "--timeout", "--budget"])
@pytest.mark.parametrize("value", ["nan", "inf"])
def test_a_bound_is_a_finite_number(score, write, option, value):
    write("d.jsonl", LINE)
    assert score("d.jsonl", option, value) == (2, [])
