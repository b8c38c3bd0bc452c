import os

import pytest

from scorerkit.errors import ScorerkitError
from scorerkit.results.targets import check_targets


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.jsonl").write_text("x")
    os.link("data.jsonl", "hard.jsonl")
    (tmp_path / "soft.jsonl").symlink_to("data.jsonl")
    return tmp_path


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["a.jsonl", "b.jsonl"], ["data.jsonl"]),
        ([], ["data.jsonl", "data.jsonl"]),
        (["-"], ["-"]),
        (["/dev/null", "/dev/null"], []),
        (["a.jsonl"], []),
    ],
)
def test_different_files_are_fine(folder, written, read):
    check_targets([("--output", name) for name in written], [("the data", name) for name in read])


@pytest.mark.parametrize(
    "name", ["data.jsonl", "./data.jsonl", "hard.jsonl", "soft.jsonl", "gone/../data.jsonl", "{}/data.jsonl"]
)
def test_a_file_that_is_read_is_not_written_by_any_of_its_names(folder, name):
    (folder / "gone").mkdir()
    with pytest.raises(ScorerkitError, match=r"as the data .*and as --output|as the data and as --output"):
        check_targets([("--output", name.format(folder))], [("the data", "data.jsonl")])


@pytest.mark.parametrize(
    ("one", "two"), [("a.json", "a.json"), ("a.json", "./a.json"), ("-", "-"), ("b/a.json", "b/../b/a.json")]
)
def test_a_file_is_written_once(folder, one, two):
    with pytest.raises(ScorerkitError, match="named twice: as --output"):
        check_targets([("--output", one), ("--report", two)])
