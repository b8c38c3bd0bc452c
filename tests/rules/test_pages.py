"""Every code has a page, every page a code, and what a page shows is what ``check`` says."""

import re
from pathlib import Path

import pytest

import scorerkit
from scorerkit import rules
from scorerkit.check.advice import ADVICE
from scorerkit.loader import check_file
from scorerkit.report.problems.as_text import show
from scorerkit.settings import Settings
from scorerkit.source.project import Project

SOURCE = Path(scorerkit.__file__).parent
USED = re.compile(
    r"(?:\bcode=|\b(?:RecordError|JudgeError|DataError|Refusal|Problem|problem|problem_in_text|warning|Foreign)\(\s*)"
    r'"([a-z]+(?:-[a-z]+)*)"'
)
PLANNED: set[str] = set()
"""Codes of the format whose machinery comes in a later release."""

FUNCTIONS = "def polite(run, words):\n    return float(any(word in run['output'] for word in words))\n"


def source():
    return {file: file.read_text("utf-8") for file in SOURCE.rglob("*.py")}


def part(code, heading):
    """The text below a heading of a page; None where the page has no such heading."""
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", rules.page(code), re.MULTILINE | re.DOTALL)
    return found and found[1]


def block(code, heading, language):
    return re.search(rf"```{language}\n(.*?)```", part(code, heading), re.DOTALL)[1]


WITH_FILES = [code for code in rules.codes() if part(code, "Bad") is not None]
IN_WORDS = [code for code in rules.codes() if code not in WITH_FILES]


@pytest.fixture
def checked(tmp_path, monkeypatch):
    monkeypatch.delenv("SCORERKIT_JUDGE_MODEL", raising=False)
    (tmp_path / "scoring.py").write_text(FUNCTIONS)

    def found(text):
        (tmp_path / "scorer.yaml").write_text(text)
        return check_file(tmp_path / "scorer.yaml", "scorer.yaml", Settings(Project(tmp_path))).problems

    return found


def test_every_code_that_the_source_uses_has_a_page():
    used = {code for text in source().values() for code in USED.findall(text)}
    assert sorted(used - set(rules.codes())) == []


def test_every_page_is_of_a_code_that_the_source_uses():
    text = "\n".join(source().values())
    assert {code for code in rules.codes() if f'"{code}"' not in text} <= PLANNED


def test_every_piece_of_advice_has_a_page():
    assert set(ADVICE) <= set(WITH_FILES)


@pytest.mark.parametrize("code", WITH_FILES)
def test_the_bad_file_of_a_page_has_that_problem_and_no_other(code, checked):
    problems = checked(block(code, "Bad", "yaml"))
    asked = [problem for problem in problems if problem.severity == "error" or problem.code == code]
    assert {problem.code for problem in asked} == {code}
    assert show(asked[0]).split("\n")[0] == block(code, "Bad", "text").strip()


@pytest.mark.parametrize("code", WITH_FILES)
def test_the_good_file_of_a_page_does_not_have_it(code, checked):
    problems = checked(block(code, "Good", "yaml"))
    assert [problem for problem in problems if problem.severity == "error" or problem.code == code] == []


@pytest.mark.parametrize("code", IN_WORDS)
def test_a_page_without_files_says_when_and_what_to_do_instead(code):
    assert len(part(code, "When").strip()) > 20
    assert len(part(code, "Instead").strip()) > 20


@pytest.mark.parametrize("code", rules.codes())
def test_a_page_begins_with_its_code_and_a_sentence(code):
    title, text, *_ = rules.page(code).split("\n\n")
    assert title == f"# {code}"
    assert 20 < len(rules.summary(code)) < 200
    assert text.startswith(rules.summary(code))
    assert text.endswith(".")


def test_an_unknown_code_has_no_page():
    with pytest.raises(LookupError, match="no code 'x'"):
        rules.page("x")
