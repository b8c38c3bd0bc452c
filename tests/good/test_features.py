"""The good files use every key of the format that is in this release."""

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from scorerkit import shipped
from scorerkit.check.meaning import LATER
from scorerkit.loader import check_file
from scorerkit.settings import Settings
from scorerkit.source import read_document
from scorerkit.source.project import Project

HERE = Path(__file__).parent
FILES = [file for file in sorted(HERE.glob("*.*")) if file.suffix in (".yaml", ".toml")]
SCHEMA = shipped.schema("scorer")
LATER_KEYS = {path[-1] for path in LATER}
ALIKE = (
    (r"^steps\.\w+\.judge\b", "judge"),
    (r"^steps\.(preprocess|analyze)\b", "steps.preprocess"),
    (r"^steps\.\w+\.prompt\b", "prompt"),
    (r"^prepareRun\.\[\]", "prepareRun"),
    (r"^data\.map\.\w+\.", "data.map.*."),
)
"""Places that share one definition in the schema count as one."""


def followed(schema):
    while "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        schema = {**SCHEMA["$defs"][name], **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def holds(condition, value):
    return Draft202012Validator({**condition, "$defs": SCHEMA["$defs"]}).is_valid(value)


def used(schema, value, path=()):
    """(where the schema gives the key, the key) of every key in a value."""
    schema = followed(schema)
    for part in schema.get("allOf", ()):
        yield from used(part, value, path)
    if "if" in schema:
        branch = "then" if holds(schema["if"], value) else "else"
        yield from used(schema.get(branch, {}), value, path)
    if isinstance(value, list):
        for each in value:
            yield from used(schema.get("items", {}), each, (*path, "[]"))
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key in schema.get("properties", {}):
            yield (*path, key)
            yield from used(schema["properties"][key], inner, (*path, key))
        elif isinstance(schema.get("additionalProperties"), dict):
            yield from used(schema["additionalProperties"], inner, (*path, "*"))


def offered(schema, path=(), depth=0):
    """Every key that the schema gives, at its path; branches that allow no right file are left out."""
    schema = followed(schema)
    if "anyOf" in schema and schema.get("additionalProperties") is False:
        return
    for part in (*schema.get("allOf", ()), *(schema[key] for key in ("then", "else") if key in schema)):
        yield from offered(part, path, depth)
    if "items" in schema and depth < 12:
        yield from offered(schema["items"], (*path, "[]"), depth + 1)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from offered(schema["additionalProperties"], (*path, "*"), depth + 1)
    for key, inner in schema.get("properties", {}).items():
        if key not in LATER_KEYS:
            yield (*path, key)
            if depth < 12:
                yield from offered(inner, (*path, key), depth + 1)


def names(paths):
    found = {".".join(path) for path in paths}
    for pattern, one in ALIKE:
        found = {re.sub(pattern, one, name) for name in found}
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_good_file_has_no_errors(file, monkeypatch):
    monkeypatch.delenv("SCORERKIT_JUDGE_MODEL", raising=False)
    assert check_file(file, file.name, Settings(Project(HERE))).errors == []


def test_every_key_of_the_format_occurs_in_some_good_file():
    found = names(path for file in FILES for path in used(SCHEMA, read_document(file, file.name).value))
    assert sorted(names(offered(SCHEMA)) - found) == []
