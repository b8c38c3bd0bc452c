import json

import pytest

from scorerkit.errors import Inconclusive, ScorerkitError
from scorerkit.report import FILES, check_report_name, write_report

SUMMARY = {"scorers": [], "data": {"source": "x"}, "stopped": None, "experimentId": "e", "scorerkit": "0.1"}


@pytest.mark.parametrize("name", ["r", "r.html5", "r.jsonl", ".md"])
def test_a_report_whose_form_is_not_known_is_refused(name):
    with pytest.raises(ScorerkitError, match="no form that is known"):
        check_report_name(name)


@pytest.mark.parametrize("suffix", [*FILES, ".MD"])
def test_a_report_is_written_whole(tmp_path, suffix):
    file = tmp_path / f"r{suffix}"
    check_report_name(str(file))
    write_report(str(file), SUMMARY)
    assert file.read_bytes() or not SUMMARY["scorers"]
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


def test_json_is_strict(tmp_path):
    write_report(str(tmp_path / "r.json"), {**SUMMARY, "scorers": ["é"]})
    text = (tmp_path / "r.json").read_text("utf-8")
    assert "é" in text
    assert json.loads(text)["scorers"] == ["é"]
    with pytest.raises(ValueError, match="JSON"):
        write_report(str(tmp_path / "r.json"), {**SUMMARY, "x": float("nan")})


def test_a_report_that_cannot_be_written_says_why(tmp_path):
    with pytest.raises(Inconclusive, match="cannot be written: No such file"):
        write_report(str(tmp_path / "gone/r.json"), SUMMARY)


def test_a_folder_that_is_not_there_is_said_before_anything_is_scored(tmp_path):
    (tmp_path / "x.md").mkdir()
    for name in ("gone/r.json", "x.md"):
        with pytest.raises(ScorerkitError, match="folder"):
            check_report_name(str(tmp_path / name))
