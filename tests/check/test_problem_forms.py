"""What the text form does with hostile and long lines; the words themselves stand beside the bad files."""

import json

import pytest

from scorerkit.model.problem import Place, Problem, Related
from scorerkit.report.problems import FORMATS
from scorerkit.report.problems.as_text import render, show
from scorerkit.source.page import Page


def test_no_problem_is_no_text():
    assert render([], ["a.yaml"]) == ""


def test_the_mark_of_a_long_line_stands_below_its_place():
    page = Page("s.yaml", "x" * 300 + "HERE" + "y" * 300)
    lines = show(page.problem("unknown-key", Place(1, 301, 1, 305), "m")).split("\n")
    start = lines[2].index("^")
    assert lines[1][start : start + 4] == "HERE"
    assert lines[2].count("^") == 4


def test_the_mark_of_a_place_beyond_the_line_is_left_out():
    assert "^" not in show(Page("s.yaml", "ab").problem("syntax", Place(1, 9), "m"))


def test_a_mark_keeps_the_tabs_before_it():
    lines = show(Page("s.yaml", "\ta: b").problem("syntax", Place(1, 2, 1, 3), "m")).split("\n")
    assert lines[2].endswith("| \t^")


@pytest.mark.parametrize("hostile", ["\x1b[2J", "a\nb", "\u202ehidden", "\x9b1m", "\u2028"])
def test_control_characters_of_a_file_do_not_reach_the_terminal(hostile):
    problem = Problem("unknown-key", "s.yaml", Place(1, 1), hostile, hostile, hostile, excerpt=((1, f"x{hostile}"),))
    text = render([problem], ["s.yaml"])
    assert hostile not in text
    assert len(text.rstrip("\n").split("\n")) == 6


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_a_related_place_is_told_in_data_too(form):
    problem = Problem("duplicate-key", "s.yaml", Place(4, 1), "m", related=(Related("s.yaml", 2, "first given here"),))
    assert "first given here" in json.dumps(json.loads(FORMATS[form]([problem], ["s.yaml"])))


def test_an_annotation_is_one_line_however_many_the_message_has():
    text = FORMATS["github"]([Problem("syntax", "a,b:c.yaml", Place(1, 2, 1, 3), "50 %\nmore", "why")], ["a"])
    assert text.count("\n") == 1
    assert text.startswith("::error file=a%2Cb%3Ac.yaml,line=1,col=2,endLine=1,endColumn=3,title=")
    assert "50 %25%0Amore%0Awhy: why" in text
