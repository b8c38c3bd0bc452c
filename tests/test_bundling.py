from __future__ import annotations

import pytest

from scorerkit.bundling import bundled, references, refers_to_files
from scorerkit.loader import check_file, open_project

SCORER = """\
id: refs
description: x
judge: {{model: openai/gpt-5-mini-2025-08-07}}
steps:
  analyze:
    description: x
    prompt: "Judge {{{{ run.output | fenced }}}}"
    outputSchema: {{type: object, properties: {{it: {{$ref: "{reference}"}}}}, required: [it]}}
  generateScore:
    expression: results.analyzeStepResult.it.{field}
"""


def problems(tmp_path, reference, field="n", **files):
    for name, text in files.items():
        (tmp_path / name.replace("__", ".")).write_text(text)
    scorer = tmp_path / "s.yaml"
    scorer.write_text(SCORER.format(reference=reference, field=field))
    found = check_file(scorer, "s.yaml", open_project(tmp_path)).errors
    return [(problem.code, problem.path, problem.place.line) for problem in found]


ONE = '{"$defs": {"one": {"type": "object", "properties": {"n": {"$ref": "#/$defs/num"}}}, "num": {"type": "number"}}}'


@pytest.mark.parametrize(
    ("reference", "field", "expected"),
    [
        ("one.json#/$defs/one", "n", []),
        ("one.json#/$defs/one", "m", [("unknown-name", "s.yaml", 10)]),
        ("two.json", "n", [("unreadable-file", "s.yaml", 8)]),
        ("../one.json", "n", [("outside-project", "s.yaml", 8)]),
        ("http://example.org/one.json", "n", [("bad-output-schema", "s.yaml", 8)]),
        ("one.json#/$defs/none", "n", [("bad-output-schema", "s.yaml", 8)]),
    ],
)
def test_a_reference_to_a_file_is_followed_under_the_path_rule(tmp_path, reference, field, expected):
    assert problems(tmp_path, reference, field, one__json=ONE) == expected


def test_a_mistake_in_a_referenced_file_is_pointed_at_there(tmp_path):
    bad = '{\n  "type": "object",\n  "properties": {"n": {"type": "int"}}\n}\n'
    assert problems(tmp_path, "bad.json", bad__json=bad) == [("bad-output-schema", "bad.json", 3)]


def test_files_that_refer_to_each_other_are_read_once(tmp_path):
    ring = '{"type": "object", "properties": {"n": {"type": "number"}, "next": {"$ref": "b.json"}}}'
    back = '{"$ref": "a.json"}'
    assert problems(tmp_path, "a.json", a__json=ring, b__json=back) == []


def test_data_in_a_schema_is_no_reference():
    assert list(references({"enum": [{"$ref": "x.json"}], "const": {"$ref": "y.json"}})) == []
    assert not refers_to_files({"properties": {"$ref": {"type": "string"}}, "items": {"$ref": "#/$defs/a"}})


def test_a_schema_without_files_comes_back_equal():
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "string"}}}
    assert bundled(schema, None, lambda *_: None) == (schema, {})
