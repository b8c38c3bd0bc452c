from __future__ import annotations

import time

import pytest

from scorerkit.source import Document, parse_document

GOOD = [
    ('id = "x"\n[a.b]\nc = [1, 1.5, true]\n', {"id": "x", "a": {"b": {"c": [1, 1.5, True]}}}),
    ('a = """\nx\r\ny"""\r\n', {"a": "x\ny"}),
    ("\ufeffa = 0x1F\n", {"a": 31}),
    ("a = 1_000\n", {"a": 1000}),
]


@pytest.mark.parametrize(("text", "value"), GOOD)
def test_toml_is_read(text, value):
    document = parse_document(text, "s.toml", "toml")
    assert isinstance(document, Document)
    assert document.value == value


BAD = [
    ("a = 1\na = 2\na = 3\n", [("duplicate-key", 2, 1), ("duplicate-key", 3, 1)]),
    ("[a]\nb = 1\n[a]\nc = 1\n", [("duplicate-key", 3, 2)]),
    ("x = {a = 1, a = 2}\n", [("duplicate-key", 1, 13)]),
    ("a = 1\n[a]\n", [("duplicate-key", 2, 2)]),
    ("[[a]]\n[a]\n", [("duplicate-key", 2, 2)]),
    (
        "d = 2024-01-01\nx = [1, inf, nan]\nt = 10:00:00\n",
        [("wrong-type", 1, 5), ("wrong-type", 2, 9), ("wrong-type", 2, 14), ("wrong-type", 3, 5)],
    ),
    ("é = 1\n", [("syntax", 1, 1)]),
    ('"é" = [1, 1e999]\n', [("wrong-type", 1, 11)]),
    ("a = 12345678901234567890\n", [("wrong-type", 1, 5)]),
    ("a = " + "9" * 5000 + "\n", [("wrong-type", 1, 1)]),
    ("a = openai/gpt\n", [("syntax", 1, 5)]),
    ("a = yes\n", [("syntax", 1, 5)]),
    ("a = True\n", [("syntax", 1, 5)]),
    ("a = null\n", [("syntax", 1, 5)]),
    ("a =\n", [("syntax", 1, 4)]),
    ("a: 1\n", [("syntax", 1, 2)]),
    ("foo\n", [("syntax", 1, 4)]),
    ('a = "x\nb = 1\n', [("syntax", 1, 7)]),
    ('a = """x\n', [("syntax", 1, 9)]),
    ("a = [1\n", [("syntax", 1, 7)]),
    ("a = {{ x }}\n", [("syntax", 1, 5)]),
    ('a = "\\d"\n', [("syntax", 1, 8)]),
    ("a = 1 b\n", [("syntax", 1, 7)]),
    ("[a\n", [("syntax", 1, 3)]),
    ("", [("empty-file", 1, 1)]),
    ("# only\n", [("empty-file", 1, 1)]),
]


@pytest.mark.parametrize(("text", "expected"), BAD)
def test_each_mistake_is_one_problem_at_its_place(text, expected):
    problems = parse_document(text, "s.toml", "toml")
    assert isinstance(problems, list)
    assert [(p.code, p.place.line, p.place.column) for p in problems] == expected


def test_text_without_quotes_is_told_to_be_quoted():
    (problem,) = parse_document("model = openai/gpt-4o-mini\n", "s.toml", "toml")
    assert problem.fix == "put text in quotes"
    assert problem.place.end_column == 27


def test_a_root_has_the_authors_word():
    (problem,) = parse_document("[1]", "s.json", "json")
    assert "a mapping, not a list" in problem.message


HOSTILE = [
    "a = " + "[" * 100_000,
    "a." * 200_000 + "b = 1\n",
    "x = {" + "a." * 200_000 + "b = 1}\n",
    "a" * 1_000_000,
    "a = " + "{b = " * 100_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_ends_soon_in_problems(text):
    began = time.monotonic()
    problems = parse_document(text, "s.toml", "toml")
    assert isinstance(problems, list)
    assert len(problems) == 1
    assert time.monotonic() - began < 5


def test_places_on_one_long_line_do_not_take_quadratic_time():
    began = time.monotonic()
    problems = parse_document('a = ["é", ' + "nan, " * 50_000 + "1]\n", "s.toml", "toml")
    assert isinstance(problems, list)
    assert len(problems) == 50_000
    assert problems[-1].place.column > 200_000
    assert time.monotonic() - began < 8
