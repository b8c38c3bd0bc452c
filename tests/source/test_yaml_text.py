from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorerkit.source import Document, parse_document

GOOD = [
    ("a: true\nb: false\nc: null\nd: ~\ne:\n", {"a": True, "b": False, "c": None, "d": None, "e": None}),
    ("a: [yes, no, on, off, True, NULL]\n", {"a": ["yes", "no", "on", "off", "True", "NULL"]}),
    ("a: [1, -2, 0, 1.5, 1e-3, -1.5E+2]\n", {"a": [1, -2, 0, 1.5, 0.001, -150.0]}),
    (
        "a: [012, 1_000, 0x1F, 0o7, .5, 5., +1, 1:30]\n",
        {"a": ["012", "1_000", "0x1F", "0o7", ".5", "5.", "+1", "1:30"]},
    ),
    ("a: [.inf, -.inf, .nan]\n", {"a": [".inf", "-.inf", ".nan"]}),
    ("a: 2024-06-01\nb: 2001-12-14T21:59:43Z\n", {"a": "2024-06-01", "b": "2001-12-14T21:59:43Z"}),
    ("a: '1'\nb: \"true\"\nc: |\n  1\n", {"a": "1", "b": "true", "c": "1\n"}),
    ("no: 1\n012: 2\n'1': 3\n", {"no": 1, "012": 2, "1": 3}),
    ("'<<': 1\n", {"<<": 1}),
    ("a: &x {b: 1}\nc: *x\nd: [*x]\n", {"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}]}),
    ("a: &x 1\nb: &x 2\nc: *x\n", {"a": 1, "b": 2, "c": 2}),
    ("&k a: 1\nb: *k\n", {"a": 1, "b": "a"}),
    ('tags: [a, b]\t# c\nx: "1"\t# fine\n', {"tags": ["a", "b"], "x": "1"}),
    ("a: |\n  x\n  ---\n  y\n  %YAML\n", {"a": "x\n---\ny\n%YAML\n"}),
    ("%YAML 1.2\n---\na: 1\n...\n", {"a": 1}),
    ("a: x\u2028y\nb: |\n  u\x85v\u2029w\n", {"a": "x\u2028y", "b": "u\x85v\u2029w\n"}),
    ("a: |\r\n  x\r\n  y\r\n", {"a": "x\ny\n"}),
    ("\ufeffa: 1\n", {"a": 1}),
]


@pytest.mark.parametrize(("text", "value"), GOOD)
def test_plain_scalars_are_typed_only_when_they_are_json(text, value):
    document = parse_document(text, "s.yaml", "yaml")
    assert isinstance(document, Document), document
    assert document.value == value
    assert repr(document.value) == repr(value)


BAD = [
    ("a: 1\na: 2\na: 3\n", [("duplicate-key", 2, 1), ("duplicate-key", 3, 1)]),
    ("a: {b: 1, b: 2}\nc: {d: 1, d: 2}\n", [("duplicate-key", 1, 11), ("duplicate-key", 2, 11)]),
    ("1: a\ntrue: b\nnull: c\n~: d\n1.5: f\n", [("ambiguous-key", line, 1) for line in range(1, 6)]),
    ("? [a, b]\n: 1\n? {c: 1}\n: 2\n", [("ambiguous-key", 1, 3), ("ambiguous-key", 3, 3)]),
    ("a: &x b\n*x : 1\n", [("ambiguous-key", 2, 1)]),
    ("a: &x {b: 1}\nc:\n  <<: *x\n", [("merge-key", 3, 3)]),
    (
        "a: 1e999\nb: -1e999\nc: 123456789012345678901\n",
        [("wrong-type", 1, 4), ("wrong-type", 2, 4), ("wrong-type", 3, 4)],
    ),
    ("a: " + "9" * 5000 + "\n", [("wrong-type", 1, 4)]),
    ("a: !function x.y\nb: !!python/object/apply:os.system [x]\n", [("syntax", 1, 4), ("syntax", 2, 4)]),
    ("a: &n !!str 1\n", [("syntax", 1, 7)]),
    ("!x a: 1\n", [("syntax", 1, 1)]),
    ("a: 1\n---\nb: 2\n", [("syntax", 2, 1)]),
    ("a: 1\n...\nb\n", [("syntax", 3, 1)]),
    ("a:\n\tb: 1\n", [("syntax", 2, 1)]),
    ("a:\n  b: 1\n  \tc: 2\n", [("syntax", 3, 3)]),
    ("a: |\n\tb\n", [("syntax", 2, 1)]),
    ("a: &x [*x]\n", [("syntax", 1, 8)]),
    ("a: *nope\n", [("syntax", 1, 4)]),
    ("a: *text*\n", [("syntax", 1, 4)]),
    ("a: " + "[" * 64 + "]" * 64 + "\n", [("syntax", 1, 67)]),
    ("a: x\x01y\n", [("syntax", 1, 5)]),
    ("id: tone\n  description: Polite?\n", [("syntax", 2, 14)]),
    ("a: Rate this: good\n", [("syntax", 1, 13)]),
    ("id:x\nsteps:\n  a: 1\n", [("syntax", 1, 3)]),
    ("a: 1\nb:x\nc: 1\n", [("syntax", 2, 1)]),
    ("a: 1\nfoo\nb: 2\n", [("syntax", 2, 1)]),
    ('a: "abc\nb: c\n', [("syntax", 1, 4)]),
    ("a: 'it's'\n", [("syntax", 1, 8)]),
    ("a: [1, 2\nb: 3\n", [("syntax", 1, 4)]),
    ("a:\n  b: |\n    x\n  Question: {{ y }}\n", [("syntax", 4, 3)]),
    ("a:\n  b: |\n    x\n  prompt: {{ y }}\n", [("syntax", 4, 11)]),
    ("a:\n  b: |\n    x\n  c: [y\n", [("syntax", 4, 6)]),
    ("tests:\n  - run:\n      steps:\n        - a: 1\n        b: 2\n", [("syntax", 5, 9)]),
    ("steps:\n  - a: 1\n  b: 2\n", [("syntax", 2, 3)]),
    ("tags:\n  - a\n  b: 2\n", [("syntax", 3, 3)]),
    ("a: x\n  judge of\n  all: y\n", [("syntax", 3, 6)]),
    ("judge of\nall: y\n", [("syntax", 1, 1)]),
    ("a: {x: 1\nb: 3\n", [("syntax", 1, 4)]),
    ("a: {{ run.output }}\n", [("syntax", 1, 4)]),
    ("a: {{ run.output }} and text\n", [("syntax", 1, 4)]),
    ("a: [{{ x }}]\n", [("syntax", 1, 5)]),
    ("a: {% if x %}y{% endif %}\n", [("syntax", 1, 4)]),
    ("a: @x\n", [("syntax", 1, 4)]),
    ("a: `x`\n", [("syntax", 1, 4)]),
    ("a: %x\n", [("syntax", 1, 4)]),
    ("%x\na: 1\n", [("syntax", 1, 1)]),
    ("a: ?\n", [("syntax", 1, 4)]),
    ("a: - b\n", [("syntax", 1, 4)]),
    ("a: &\n", [("syntax", 1, 4)]),
    ('a: "\\d"\n', [("syntax", 1, 5)]),
    ('a: "\\ud83d"\n', [("syntax", 1, 7)]),
    ("a: > x\n", [("syntax", 1, 6)]),
    ("a: ]\n", [("syntax", 1, 4)]),
    ("a:\n    b: 1\n  c: 2\n", [("syntax", 3, 3)]),
    ("a:\n  - x\n  y: 1\n", [("syntax", 3, 3)]),
    ('a: "x" y\nb: 1\n', [("syntax", 1, 8)]),
    ("a: [x] y\nb: 1\n", [("syntax", 1, 8)]),
    ("", [("empty-file", 1, 1)]),
    ("# only\n", [("empty-file", 1, 1)]),
    ("---\n", [("empty-file", 1, 1)]),
    ("- a\n", [("wrong-type", 1, 1)]),
    ("text\n", [("wrong-type", 1, 1)]),
]


@pytest.mark.parametrize(("text", "expected"), BAD)
def test_each_mistake_is_one_problem_at_its_place(text, expected):
    problems = parse_document(text, "s.yaml", "yaml")
    assert isinstance(problems, list)
    assert [(p.code, p.place.line, p.place.column) for p in problems] == expected


WORDS = [
    ("a:\n\tb: 1\n", "tab"),
    ("a: 1\na: 2\n", "'a'"),
    ("a: !function x.y\n", "!function"),
    ("a: !function x.y\n", "function: package.module.name"),
    ("a: !!python/object/apply:os.system [x]\n", "!!python/object/apply:os.system"),
    ("b:\n  <<: {a: 1}\n", "extends"),
    ("a: {{ x }}\n", "quotes"),
    ("- a\n", "the scorer file must be a mapping, not a list"),
    ("id: tone\n  description: x\n", "remove the two spaces at the start"),
    ("a: 'it's'\n", "''"),
]


@pytest.mark.parametrize(("text", "has"), WORDS)
def test_the_words_name_what_to_type(text, has):
    (problem,) = parse_document(text, "s.yaml", "yaml")
    assert has in f"{problem.message} {problem.why} {problem.fix}"


def test_a_second_key_shows_both_lines_and_relates_to_the_first():
    (problem,) = parse_document("a: 1\nb: 2\na: 3\n", "s.yaml", "yaml")
    assert problem.related[0].line == 1
    assert problem.excerpt == ((1, "a: 1"), (3, "a: 3"))


UNINDENTED = [
    "steps:\n  g:\n    prompt: |-\n    Compare the query with the data:\n      ***\n      {{ run.output }}\n",
    "steps:\n  g:\n    prompt: |\n    Compare the query\n    levels: {a: 1}\n",
    "steps:\n  g:\n    prompt: >\n    Compare: the query\n      more\n",
]


@pytest.mark.parametrize("text", UNINDENTED)
def test_block_text_that_is_not_indented_is_one_problem_on_its_first_line(text):
    (problem,) = parse_document(text, "s.yaml", "yaml")
    assert (problem.code, problem.place.line, problem.place.column) == ("syntax", 4, 5)
    assert "indent the text below 'prompt'" in (problem.fix or "")


def test_an_empty_block_at_the_end_of_its_mapping_is_empty_text():
    document = parse_document("a:\n  b: |\nc: 1\n", "s.yaml", "yaml")
    assert isinstance(document, Document)
    assert document.value == {"a": {"b": ""}, "c": 1}


def test_the_control_character_of_a_pasted_terminal_is_named():
    (problem,) = parse_document("a: 1\nb: \x1b[0m\n", "s.yaml", "yaml")
    assert (problem.place.line, problem.place.column) == (2, 4)
    assert "U+001B" in problem.message


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10)
)
CHAIN = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 80))
HOSTILE = [
    (BOMB, "aliases expand"),
    (CHAIN, "nested"),
    ("a: " + "[" * 500_000, "nested"),
    ("a: " + "{b: " * 200_000, "nested"),
    ("a: [" + "1," * 500_000 + "1]", "more than"),
    ("a: " + "9" * 1_000_000, "too large"),
]


@pytest.mark.parametrize(("text", "has"), HOSTILE)
def test_hostile_text_ends_soon_in_one_problem(text, has):
    began = time.monotonic()
    (problem,) = parse_document(text, "s.yaml", "yaml")
    assert has in problem.message
    assert len(problem.message) < 200
    assert time.monotonic() - began < 5


def test_many_problems_do_not_take_quadratic_time():
    began = time.monotonic()
    problems = parse_document("a: 1\n" * 40_000, "s.yaml", "yaml")
    assert isinstance(problems, list)
    assert len(problems) == 39_999
    assert time.monotonic() - began < 5


words = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn")), max_size=6)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(words, json_values, min_size=1, max_size=5))
def test_json_read_as_yaml_is_the_same_value(value):
    document = parse_document(json.dumps(value, ensure_ascii=False, indent=1), "s.yaml", "yaml")
    assert isinstance(document, Document), document
    assert document.value == value


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab:-|>[]{}\"'#&*!%@,?\n\t \\{}~<0\u2028é", max_size=60))
def test_any_text_gives_a_document_or_problems(text):
    result = parse_document(text, "s.yaml", "yaml")
    if isinstance(result, list):
        assert result
        lines = text.split("\n")
        assert all(1 <= p.place.line <= len(lines) + 1 and p.place.column >= 1 for p in result)
