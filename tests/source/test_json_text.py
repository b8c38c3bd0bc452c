from __future__ import annotations

import time

import pytest

from scorerkit.source import Document, parse_document

BAD = [
    ('{"a": 1, "a": 2}', [("duplicate-key", 1, 10)]),
    ('{"a": "\\ud83d\\ude00", "b": {"c": 1, "c": 2}}', [("duplicate-key", 1, 37)]),
    ('{"a": NaN}', [("wrong-type", 1, 7)]),
    ('{"a": 1e999}', [("wrong-type", 1, 7)]),
    ('{"a": 123456789012345678901}', [("wrong-type", 1, 7)]),
    ('{"a": "\\ud83d"}', [("syntax", 1, 7)]),
    ("{a: 1}", [("syntax", 1, 2)]),
    ('{"a": 1,}', [("syntax", 1, 9)]),
    ('{"a": [1 2]}', [("syntax", 1, 10)]),
    ('{"a": 1}\n// x', [("syntax", 2, 1)]),
    ('{"a": "x', [("syntax", 1, 7)]),
    ('{"a": tru}', [("syntax", 1, 7)]),
    ("", [("empty-file", 1, 1)]),
    ("[1]", [("wrong-type", 1, 1)]),
    ('{"x": ' + "[" * 70 + "]" * 70 + "}", [("syntax", 1, 1)]),
    ("[" * 100_000, [("syntax", 1, 1)]),
]


@pytest.mark.parametrize(("text", "expected"), BAD)
def test_each_mistake_is_one_problem_at_its_place(text, expected):
    problems = parse_document(text, "s.json", "json")
    assert isinstance(problems, list)
    assert [(p.code, p.place.line, p.place.column) for p in problems] == expected


def test_places_are_known_in_a_file_indented_with_tabs():
    document = parse_document('{\n\t"a": "\\ud83d\\ude00",\n\t"b": {"c": [1, 2]}\n}\n', "s.json", "json")
    assert isinstance(document, Document)
    assert document.value == {"a": "\U0001f600", "b": {"c": [1, 2]}}
    assert document.value_place(("b", "c", 1))[:2] == (3, 17)


def test_many_duplicate_keys_do_not_take_quadratic_time():
    began = time.monotonic()
    problems = parse_document("{" + '"a": 1, ' * 50_000 + '"b": 1}', "s.json", "json")
    assert isinstance(problems, list)
    assert len(problems) == 49_999
    assert time.monotonic() - began < 8
