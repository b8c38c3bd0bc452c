from __future__ import annotations

import pytest

from scorerkit.source import Document, parse_document

TEXT = """\
id: x
steps:
  generateScore:
    prompt: |
      Rate {{ run.outptu }}

      and {{ é }} {{ last }}
    levels: {a: 1, b: {score: 2}}
  generateReason:
    prompt: "The {{ score }} is\\n {{ run.foo }} or {{ run.foo }}"
    more: >
      a {{ b }}
      c {{ d }}
    plain: is {{ x }}
      or {{ y }}
tests:
  - name: a
  - x: 1
"""


def read(text: str, syntax: str = "yaml") -> Document:
    document = parse_document(text, f"s.{syntax}", syntax)
    assert isinstance(document, Document), document
    return document


@pytest.fixture(scope="module")
def document():
    return read(TEXT)


PLACES = [
    ((), (1, 1), (1, 1)),
    (("id",), (1, 1), (1, 5)),
    (("zzz",), (1, 1), (1, 1)),
    (("steps", "generateScore"), (3, 3), (4, 5)),
    (("steps", "generateScore", "prompt"), (4, 5), (4, 13)),
    (("steps", "generateScore", "levels"), (8, 5), (8, 13)),
    (("steps", "generateScore", "levels", "b", "score"), (8, 24), (8, 31)),
    (("steps", "analyze", "prompt"), (2, 1), (2, 1)),
    (("tests",), (16, 1), (17, 3)),
    (("tests", 1), (18, 5), (18, 5)),
    (("tests", 1, "name"), (18, 5), (18, 5)),
    (("tests", 7), (16, 1), (16, 1)),
]


@pytest.mark.parametrize(("path", "key", "value"), PLACES)
def test_keys_and_values_are_found_or_their_nearest_ancestor(document, path, key, value):
    assert document.key_place(path)[:2] == key
    assert document.value_place(path)[:2] == value


def test_places_have_the_width_of_what_they_point_at(document):
    assert document.key_place(("steps",)) == (2, 1, 2, 6)
    assert document.value_place(("steps", "generateScore", "levels")) == (8, 13, 8, 34)
    assert document.value_place(("steps", "generateScore", "prompt")) == (4, 13, 4, 14)
    assert document.value_place(("tests",)) == (17, 3, 17, 4)


def test_a_file_that_begins_with_a_comment_begins_at_its_first_line():
    assert read("# a\nid: x\n").key_place(()) == (1, 1, None, None)


SCORE = ("steps", "generateScore", "prompt")
REASON = ("steps", "generateReason", "prompt")
MORE = ("steps", "generateReason", "more")
PLAIN = ("steps", "generateReason", "plain")
IN_TEXT = [
    (SCORE, 1, "outptu", (5, 19, 5, 25)),
    (SCORE, 1, "run.outptu", (5, 15, 5, 25)),
    (SCORE, 1, "put", (5, 7, None, None)),
    (SCORE, 2, None, (6, 1, None, None)),
    (SCORE, 3, "é", (7, 14, 7, 15)),
    (SCORE, 3, "last", (7, 22, 7, 26)),
    (REASON, 1, "score", (10, 21, 10, 26)),
    (REASON, 2, "foo", (10, 13, 10, 66)),
    (REASON, 1, None, (10, 13, 10, 66)),
    (MORE, 1, "d", (13, 12, 13, 13)),
    (MORE, 1, "zz", (11, 11, 11, 12)),
    (PLAIN, 1, "y", (15, 13, 15, 14)),
    (("steps", "generateScore", "nope"), 1, "x", (3, 3, 3, 16)),
]


@pytest.mark.parametrize(("path", "line", "token", "place"), IN_TEXT)
def test_a_place_in_a_text_is_a_place_in_the_file(document, path, line, token, place):
    assert document.place_in_text(path, line, token) == place


TOML = """\
a = \"\"\"
Rate {{ x }}
{{ x }} and {{ y }}
\"\"\"
b = \"\"\"one {{ x }}
two {{ z }}\"\"\"
c = "{{ only }} {{ twice }} {{ twice }}"
d = \"\"\"{{ v }} \\
   {{ w }}\"\"\"
"""
IN_TOML = [
    ("a", 1, "x", (2, 9)),
    ("a", 2, "x", (3, 4)),
    ("a", 2, "y", (3, 16)),
    ("b", 1, "x", (5, 15)),
    ("b", 2, "z", (6, 8)),
    ("c", 1, "only", (7, 9)),
    ("c", 1, "twice", (7, 5)),
    ("d", 1, "w", (9, 7)),
]


@pytest.mark.parametrize(("key", "line", "token", "place"), IN_TOML)
def test_lines_of_a_toml_text_are_lines_of_the_file(key, line, token, place):
    assert read(TOML, "toml").place_in_text((key,), line, token)[:2] == place


def test_a_prompt_file_has_its_own_lines():
    document = parse_document("one\n  two {{ x }}\n", "p.md", "text")
    assert isinstance(document, Document)
    assert document.place_in_text((), 2, "x") == (2, 10, 2, 11)
    assert document.place_in_text((), 2, None) == (2, 3, None, None)
    assert document.place_in_text((), 9, None) == (9, 1, None, None)
    assert document.key_place(()) == (1, 1, None, None)
