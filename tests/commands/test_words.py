import pytest

from scorerkit.commands.words import show_error, show_failure
from scorerkit.errors import DataError, InvalidScorer, ScorerkitError
from scorerkit.model.problem import Place, Problem

PROBLEM = Problem("unknown-key", "s.yaml", Place(2, 1), "a scorer has no key 'x'", fix="remove it")


def test_an_error_has_what_why_and_fix(capsys):
    show_error(ScorerkitError("it is wrong", code="bad-param", why="the rule", fix="do this"))
    assert capsys.readouterr().err == "error[bad-param]: it is wrong\n  why: the rule\n  fix: do this\n"


def test_an_error_without_a_code_has_no_brackets(capsys):
    show_error(ScorerkitError("it is wrong"))
    assert capsys.readouterr().err == "error: it is wrong\n"


def test_problems_say_it_all(capsys):
    show_error(InvalidScorer([PROBLEM]))
    said = capsys.readouterr().err
    assert said.startswith("s.yaml:2:1: error[unknown-key]: a scorer has no key 'x'\n")
    assert said.count("a scorer has no key") == 1


def test_data_with_problems_says_them_once(capsys):
    show_error(DataError("a scorer has no key 'x'", problems=[PROBLEM]))
    assert capsys.readouterr().err.count("a scorer has no key") == 1


@pytest.mark.parametrize(
    ("at", "line"),
    [
        ({"path": "s.yaml", "line": 3}, "  at s.yaml:3\n"),
        ({"field": "output.x"}, "  at output.x\n"),
        ({"record": 4}, "  at 4\n"),
        ("output[2].content", "  at output[2].content\n"),
        (None, ""),
        ({}, ""),
    ],
)
def test_a_failed_record_says_which_what_and_where(capsys, at, line):
    show_failure("r-1", {"code": "bad-score", "message": "no number", "at": at, "why": "w", "fix": "f"})
    assert capsys.readouterr().err == f"run r-1: error[bad-score]: no number\n{line}  why: w\n  fix: f\n"


def test_the_step_of_a_failed_record_is_named(capsys):
    show_failure(
        "r", {"code": "bad-score", "message": "x", "at": {"path": "s.yaml", "line": 3}, "step": "generateScore"}
    )
    assert capsys.readouterr().err.splitlines()[1] == "  at s.yaml:3  generateScore"


def test_control_characters_of_data_do_not_reach_the_terminal(capsys):
    show_failure("r\x1b[31m", {"code": "step-failed", "message": "x\x1b]0;title\x07\r\n", "at": None})
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "\x07" not in said
    assert said.count("\n") == 1


def test_lines_of_a_reason_stay_lines_and_look_like_nothing_of_the_commands_own(capsys):
    show_failure("r", {"code": "not-recorded", "message": "x", "at": None, "why": "it was:\n::error::a\r\n\nrun b\n"})
    assert capsys.readouterr().err.splitlines()[1:] == ["  why: it was:", "    | ::error::a", "    |", "    | run b"]
    show_error(ScorerkitError("a\nb", why="c\nd"))
    assert capsys.readouterr().err == "error: a\\nb\n  why: c\n    | d\n"
