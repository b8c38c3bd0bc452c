"""The schemas that ship: valid, described at every depth, alone on their feet, and true of what runs write."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import scorerkit
from scorerkit import shipped
from scorerkit.testing import ScriptedJudge

ROOT = Path(__file__).parent.parent
SCHEMAS = {name: shipped.schema(name) for name in shipped.SCHEMAS}
APPLIED = ("allOf", "anyOf", "oneOf", "then", "else")
"""Keywords that say more of the same object: what is described beside them is described in them."""


def undescribed(schema, root, path="", known=frozenset()):
    """Dotted paths of properties that nothing explains; conditions (``if``) explain nothing and need not."""
    if isinstance(schema, list):
        for part in schema:
            yield from undescribed(part, root, path, known)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties", {})
    told = known | {name for name, found in properties.items() if described(found, root)}
    for name, found in properties.items():
        if name not in told:
            yield f"{path}.{name}"
        yield from undescribed(found, root, f"{path}.{name}")
    for word in APPLIED:
        yield from undescribed(schema.get(word), root, path, told)
    for word in ("items", "additionalProperties", "contains", "propertyNames"):
        yield from undescribed(schema.get(word), root, f"{path}.{word}")
    for name, found in (*schema.get("$defs", {}).items(), *schema.get("patternProperties", {}).items()):
        yield from undescribed(found, root, f"{path}.{name}")


def described(schema, root):
    if not isinstance(schema, dict) or "description" in schema:
        return True
    target = schema.get("$ref", "").rpartition("/")[2]
    return target in root.get("$defs", {}) and described(root["$defs"][target], root)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_and_says_what_it_is_of(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$schema"].endswith("2020-12/schema")
    assert {"$id", "title", "description"} <= set(SCHEMAS[name])


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_property_at_every_depth_is_described(name):
    assert sorted(set(undescribed(SCHEMAS[name], SCHEMAS[name]))) == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_stands_alone(name):
    def references(value):
        if isinstance(value, dict):
            yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from references(inner)

    defs = SCHEMAS[name].get("$defs", {})
    assert [ref for ref in references(SCHEMAS[name]) if not ref.startswith("#")] == []
    assert [ref for ref in references(SCHEMAS[name]) if ref.startswith("#/$defs/") and ref[8:] not in defs] == []


def test_there_is_a_schema_for_every_file_in_the_folder():
    assert {file.name for file in (ROOT / "schemas").glob("*.json")} == {f"{name}.schema.json" for name in SCHEMAS}


SCORER = """
id: tone
description: d
version: "1"
judge: {model: openai/gpt-4o-mini-2024-07-18, instructions: Be fair.}
range: {min: 0, max: 1}
threshold: 0.5
gate: {mean: 0.1, passRate: 0.1, maxNotScorable: 0.9}
notScorable: [{when: run.output is none, reason: nothing}]
steps:
  preprocess: {expression: "run.output.split(' ')"}
  analyze:
    prompt: "{{ run.output }}"
    outputSchema: {type: object, properties: {bad: {type: boolean}}, required: [bad]}
  generateScore: {prompt: "{{ run.output }}", levels: {good: 1, poor: 0}}
  generateReason: {prompt: "{{ score }}"}
"""
RECORDS = [
    {"runId": "a", "output": "x y", "metadata": {"k": {"d": 1}}},
    {"runId": "b", "output": None},
    {"runId": "c", "output": 3},
    {"runId": "d"},
    {"runId": "e", "output": "z"},
]


@pytest.fixture
def report(write):
    file = write("scorer.yaml", SCORER)
    answers = {
        "analyze": {"bad": False},
        "generateScore": [{"reasoning": "r", "label": "good"}, {"reasoning": "r", "label": "odd"}],
        "generateReason": "because",
    }
    scorer = scorerkit.load_scorer(file, judge=ScriptedJudge(answers))
    return scorerkit.score_sync([scorer], RECORDS, output="out.jsonl", concurrency=1)


def test_results_fit_their_schema(report):
    validator = Draft202012Validator(SCHEMAS["result"])
    rows = [json.loads(line) for line in Path("out.jsonl").read_bytes().split(b"\n") if line]
    assert [row["status"] for row in rows] == ["scored", "notScorable", "failed", "failed", "failed"]
    assert [list(validator.iter_errors(row)) for row in rows] == [[]] * 5


def test_the_schema_of_results_has_every_key_that_is_written(report):
    written = {key for result in report.results for key in result.to_dict()} | {"experimentId"}
    assert written <= set(SCHEMAS["result"]["properties"])


def test_a_summary_fits_its_schema(report):
    errors = list(Draft202012Validator(SCHEMAS["summary"]).iter_errors(json.loads(json.dumps(report.summary))))
    assert errors == []
    assert set(report.summary["scorers"][0]) <= set(SCHEMAS["summary"]["properties"]["scorers"]["items"]["properties"])


@pytest.mark.parametrize("field", ["score", "error", "status"])
def test_a_result_that_contradicts_itself_does_not_fit(report, field):
    row = report.results[2].to_dict()
    wrong = {"score": 0.5, "error": None, "status": "scored"}
    assert not Draft202012Validator(SCHEMAS["result"]).is_valid({**row, field: wrong[field]})


EXAMPLES = sorted((ROOT / "examples").glob("*/*.jsonl"))


@pytest.mark.parametrize(
    "file", [file for file in EXAMPLES if "recording" not in file.name], ids=lambda file: file.name
)
def test_the_data_of_the_examples_fits_the_schema_of_runs(file):
    validator = Draft202012Validator(SCHEMAS["run"])
    rows = [json.loads(line) for line in file.read_bytes().split(b"\n") if line]
    assert rows
    assert [list(validator.iter_errors(row)) for row in rows] == [[]] * len(rows)


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*/scorer.yaml")), ids=lambda file: file.parent.name)
def test_the_examples_fit_the_schema_of_scorers(file):
    import yaml

    errors = list(Draft202012Validator(SCHEMAS["scorer"]).iter_errors(yaml.safe_load(file.read_text("utf-8"))))
    assert errors == []
