"""One mistake at a time: every key of the format in a scorer file, misspelt, given another kind of value, or left out."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jsonschema import Draft202012Validator
from property_writers import WRITERS

from scorerkit import shipped
from scorerkit.assembly import assemble
from scorerkit.check import check_definition
from scorerkit.judge.processors import builtin_names
from scorerkit.reference import Namespace
from scorerkit.source import Document, parse_document
from scorerkit.source.project import Territory

ROOT = Path(__file__).parent.parent / "good"
SCHEMA = shipped.schema("scorer")
VALIDATOR = Draft202012Validator(SCHEMA)
BUILT_IN = {name for kind in ("input", "output", "error") for name in builtin_names(kind)}
WRONG = {"number": 12345, "string": "zz", "boolean": True, "array": ["zz"], "object": {"zz": 1}, "null": None}


class Key(NamedTuple):
    """A key of the format; ``code`` is that of a problem with it inside a schema, else None."""

    path: tuple
    code: str | None


class Mistake(NamedTuple):
    """A definition with one mistake, and where its only problem must stand."""

    what: str
    value: dict
    path: tuple
    codes: tuple


def keys_of(value, path=(), zone="format"):
    """Every key that the format gives; names and data of the author are passed over."""
    if isinstance(value, list) and zone not in ("free", "data"):
        for index, inner in enumerate(value):
            yield from keys_of(inner, (*path, index), zone)
    for key, inner in value.items() if isinstance(value, dict) and zone != "free" else ():
        here = (*path, key)
        if zone not in ("names", "schema names", "param names") and not key.startswith("x-"):
            yield Key(here, {"schema": "bad-output-schema", "param": "bad-param"}.get(zone))
        yield from keys_of(inner, here, inside(value, path, key, zone))


def inside(value, path, key, zone):
    """What the keys inside ``value[key]`` are."""
    if zone in ("schema names", "param names"):
        return zone.split()[0]
    if zone in ("schema", "param"):
        if key in ("properties", "$defs"):
            return f"{zone} names"
        return "free" if key in ("default", "enum", "const") else zone
    if zone == "data" or key in ("extra", "labels") or key.startswith("x-"):
        return "free"
    if zone == "names":
        return "format"
    if key == "outputSchema" or path == ("type",):
        return "format" if set(value[key]) == {"file"} else "schema"
    if key == "params":
        return "free" if path else "param names"
    if key == "with":
        return "format" if value.get("use") in BUILT_IN else "free"
    if key.endswith("StepResult"):
        return "free"
    if key in ("run", "answers"):
        return "data"
    return "names" if key == "levels" else "format"


def misspellings(key):
    middle = len(key) // 2
    letter = next(index for index in range(len(key)) if key[index].isalpha() and index >= middle - 1)
    yield key[: letter + 1] + key[letter:]
    yield key[:letter] + key[letter + 1 :]
    yield key[:letter] + key[letter : letter + 2][::-1] + key[letter + 2 :]
    yield key.swapcase() if key.islower() else key.lower()
    yield key.capitalize()


def misspelt(value, key):
    holder = at(value, key.path[:-1])
    name = key.path[-1]
    for wrong in dict.fromkeys(misspellings(name)):
        if wrong and wrong not in holder and wrong not in allowed_beside(value, key):
            mutated = with_entries(value, key.path[:-1], {wrong if k == name else k: v for k, v in holder.items()})
            codes = (
                (key.code,)
                if key.code
                else ("unknown-key", "bad-output-schema")
                if name == "file"
                else ("unknown-key",)
            )
            yield Mistake(f"{dotted(key.path)} as '{wrong}'", mutated, (*key.path[:-1], wrong), codes)


def wrong_kind(value, key):
    kinds = schema_kinds(key.path[-1]) if key.code else kinds_of(value, key.path)
    for kind, wrong in WRONG.items():
        if kind not in kinds:
            holder = at(value, key.path[:-1])
            mutated = with_entries(value, key.path[:-1], {**holder, key.path[-1]: wrong})
            yield Mistake(f"{dotted(key.path)} as {wrong!r}", mutated, key.path, (key.code or "wrong-type",))


def dropped(value, key):
    """Without the key, where the file is invalid then."""
    if key.code:
        return
    holder = {name: inner for name, inner in at(value, key.path[:-1]).items() if name != key.path[-1]}
    mutated = with_entries(value, key.path[:-1], holder)
    if VALIDATOR.is_valid(value) and not VALIDATOR.is_valid(mutated):
        yield Mistake(
            f"{dotted(key.path)} left out", mutated, key.path[:-1], ("missing-key", "unknown-value", "empty-file")
        )


MUTATIONS = {"misspelt": misspelt, "wrong kind": wrong_kind, "left out": dropped}


def mistakes_in(value, *, every):
    """All mistakes, or one of each sort for every key, another for each."""
    for number, key in enumerate(keys_of(value)):
        for mutate in MUTATIONS.values():
            found = list(mutate(value, key))
            yield from found if every else found[number % len(found) : number % len(found) + 1] if found else ()


# -- what the schema allows -------------------------------------------------------------------------------------------


def resolved(schema):
    while "$ref" in schema:
        schema = {
            **SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]],
            **{k: v for k, v in schema.items() if k != "$ref"},
        }
    return schema


def branches(schema, instance):
    """The schema and all that its conditions add for an instance."""
    schema = resolved(schema)
    yield schema
    for part in schema.get("allOf", ()):
        yield from branches(part, instance)
    if "if" in schema:
        branch = (
            "then" if VALIDATOR.evolve(schema={**schema["if"], "$defs": SCHEMA["$defs"]}).is_valid(instance) else "else"
        )
        if branch in schema:
            yield from branches(schema[branch], instance)


def schemas_at(value, path):
    """The schemas that are given for the value at a path, before their own conditions."""
    schemas, instance = [SCHEMA], value
    for key in path:
        found = []
        for schema in schemas:
            for branch in branches(schema, instance):
                if isinstance(key, int):
                    found += [branch["items"]] if "items" in branch else []
                elif key in branch.get("properties", {}):
                    found.append(branch["properties"][key])
                elif isinstance(branch.get("additionalProperties"), dict):
                    found.append(branch["additionalProperties"])
        schemas, instance = found, instance[key]
    return [resolved(schema) for schema in schemas]


def kinds_of(value, path):
    kinds = set(WRONG)
    for schema in schemas_at(value, path):
        if "type" in schema:
            named = {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])
            kinds &= {"number" if name == "integer" else name for name in named}
        if "enum" in schema:
            kinds &= {kind_of(choice) for choice in schema["enum"]}
    return kinds


def allowed_beside(value, key):
    if key.code:
        return ()
    return {
        name
        for s in schemas_at(value, key.path[:-1])
        for b in branches(s, at(value, key.path[:-1]))
        for name in b.get("properties", ())
    }


def kind_of(value):
    kinds = ((bool, "boolean"), ((int, float), "number"), (str, "string"), (list, "array"), (dict, "object"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def schema_kinds(keyword):
    """The kinds of value that JSON Schema gives a keyword."""
    table = {
        ("properties", "$defs"): {"object"},
        ("items", "additionalProperties"): {"object", "boolean"},
        ("required", "enum", "anyOf"): {"array"},
        ("type",): {"string", "array"},
        ("$ref", "description"): {"string"},
        ("minimum", "maximum", "minItems", "minLength", "maxLength"): {"number"},
    }
    return next((kinds for keywords, kinds in table.items() if keyword in keywords), set(WRONG))


# -- values -----------------------------------------------------------------------------------------------------------


def at(value, path):
    for key in path:
        value = value[key]
    return value


def with_entries(value, path, entries):
    """A copy in which the mapping at a path has these entries."""
    if not path:
        return entries
    copied = copy.deepcopy(value)
    at(copied, path[:-1])[path[-1]] = entries
    return copied


def dotted(path):
    return ".".join(map(str, path))


# -- checking ---------------------------------------------------------------------------------------------------------


def read(file):
    """The plain value of a good file."""
    document = parse_document(file.read_text("utf-8"), file.name, file.suffix[1:], file=file)
    assert isinstance(document, Document), document
    return json.loads(json.dumps(document.value))


@cache
def namespace():
    return Namespace(ROOT)


def checked(value, syntax):
    """The definition, and the errors that ``check`` finds in the value as it is written in a syntax."""
    file = ROOT / f"mutated.{syntax}"
    document = parse_document(WRITERS[syntax](value), file.name, syntax, file=file)
    if isinstance(document, list):
        return None, document
    definition, problems = assemble(document, Territory(ROOT, file))
    if not problems:
        problems = check_definition(definition, namespace())
    return definition, [problem for problem in problems if problem.severity == "error"]


def complaint(mistake, syntax):
    """What is wrong with the verdict on a mistake; None where it is as it must be."""
    definition, errors = checked(mistake.value, syntax)
    found = [(problem.code, problem.place.line) for problem in errors]
    line = errors[0].place.line if definition is None else definition.document.key_place(mistake.path).line
    if len(found) == 1 and found[0][0] in mistake.codes and found[0][1] == line:
        return None
    texts = [f"{problem.place.line}: {problem.code}: {problem.message}" for problem in errors]
    return f"{mistake.what}: wanted one of {mistake.codes} on line {line}, got {texts}"
