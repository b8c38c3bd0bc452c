"""JSON Schemas inside a definition: output schemas, the parts of ``type``, params."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.check.patterns import check_pattern
from scorerkit.check.words import kinds_word
from scorerkit.model.stage import STEPS
from scorerkit.suggest import closest, listed, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.json import Json, Path
    from scorerkit.model.problem import Problem

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
BORROWED_TYPES = {
    "int": "integer",
    "float": "number",
    "double": "number",
    "str": "string",
    "text": "string",
    "bool": "boolean",
    "dict": "object",
    "map": "object",
    "list": "array",
    "none": "null",
}
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
LISTED = ("allOf", "anyOf", "oneOf", "prefixItems")
SINGLE = (
    "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
    "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
OTHERS = (
    "$schema", "$id", "$ref", "$anchor", "$comment", "$vocabulary", "$dynamicRef", "$dynamicAnchor", "type", "enum",
    "const", "required", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
    "format", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains", "minProperties", "maxProperties",
    "dependentRequired", "contentEncoding", "contentMediaType", "contentSchema",
)  # fmt: skip
KEYWORDS = (*NAMED, *LISTED, *SINGLE, *OTHERS)


def schemas_of(definition: Definition) -> Iterator[tuple[Path, str]]:
    """Where a definition holds schemas, and the code of a problem in each."""
    kind = definition.get("type")
    for part in kind if isinstance(kind, dict) else ():
        yield ("type", part), "bad-output-schema"
    for name in definition.get("params") or ():
        yield ("params", name), "bad-param"
    for step in STEPS:
        if isinstance(definition.get("steps", step, "outputSchema"), dict):
            yield ("steps", step, "outputSchema"), "bad-output-schema"


def check_schemas(definition: Definition) -> Iterator[Problem]:
    """Every schema of a definition: types, keywords, references, and what the fast validator cannot build."""
    for path, code in schemas_of(definition):
        schema = definition.get(*path)
        for stage in (_words, _shape, _links, _patterns, _buildable):
            if found := list(stage(definition, path, schema, code)):
                yield from found
                break


def schemas_in(schema: Json, path: Path) -> Iterator[tuple[Path, dict[str, Json]]]:
    """A schema and all schemas inside it, each with its path."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key, value in schema.items():
        inner: list[tuple[str | int, Json]] = []
        if key in NAMED and isinstance(value, dict):
            inner = list(value.items())
        elif key in LISTED and isinstance(value, list):
            inner = list(enumerate(value))
        elif key in SINGLE:
            yield from schemas_in(value, (*path, key))
        for name, each in inner:
            yield from schemas_in(each, (*path, key, name))


def _words(definition: Definition, path: Path, schema: Json, code: str) -> Iterator[Problem]:
    """Keywords and types that JSON Schema does not have."""
    for where, inner in schemas_in(schema, path):
        for key, value in inner.items():
            if key == "type":
                yield from _types(definition, (*where, key), value, code)
            elif key not in KEYWORDS and not key.startswith("x-"):
                others = ("file",) if where == path and len(inner) == 1 else ()
                fix = suggestion(key, [name for name in (*KEYWORDS, *others) if name not in inner])
                message = f"'{key}' is not a keyword of JSON Schema"
                yield definition.problem(code, (*where, key), message, on="key", fix=fix)


def _links(definition: Definition, path: Path, schema: Json, code: str) -> Iterator[Problem]:
    """What one part of a schema says of another: references, and required fields."""
    for where, inner in schemas_in(schema, path):
        if "$ref" in inner:
            yield from _reference(definition, (*where, "$ref"), inner["$ref"], schema, code)
        if path[0] == "steps" and "required" in inner:
            yield from _required(definition, (*where, "required"), inner["required"], inner)


def _patterns(definition: Definition, path: Path, schema: Json, _code: str) -> Iterator[Problem]:
    for where, inner in schemas_in(schema, path):
        if "pattern" in inner:
            yield from check_pattern(definition, (*where, "pattern"), inner["pattern"])
        for pattern in inner.get("patternProperties", ()):
            yield from check_pattern(definition, (*where, "patternProperties", pattern), pattern, on="key")


def _types(definition: Definition, path: Path, value: Json, code: str) -> Iterator[Problem]:
    if isinstance(value, str):
        names: list[tuple[Path, Json]] = [(path, value)]
    elif isinstance(value, list):
        names = [((*path, index), name) for index, name in enumerate(value)]
    else:
        return
    for where, name in names:
        if isinstance(name, str) and name not in TYPES:
            meant = BORROWED_TYPES.get(name.lower()) or closest(name, TYPES)
            fix = f"did you mean '{meant}'?" if meant else f"use one of {listed(TYPES)}"
            yield definition.problem(code, where, f"JSON Schema has no type '{name}'", fix=fix)


def _reference(definition: Definition, path: Path, value: str, root: Json, code: str) -> Iterator[Problem]:
    if not value.startswith("#"):
        yield definition.problem(
            code, path, f"'$ref' cannot be '{value}'", why="nothing is fetched", fix="refer to '#/$defs/…'"
        )
        return
    found = root
    for part in [step for step in value[1:].split("/") if step]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        elif isinstance(found, dict) and name in found:
            found = found[name]
        elif value.startswith("#/"):
            yield definition.problem(code, path, f"'$ref' names '{value}', which is not in the schema")
            return


def _required(definition: Definition, path: Path, value: list[Json], schema: dict[str, Any]) -> Iterator[Problem]:
    """A required field that no property describes is a typo: the judge is told only of the properties."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return
    for index, name in enumerate(value):
        if name not in properties:
            yield definition.problem(
                "bad-output-schema", (*path, index), f"'{name}' is required, and is not among the properties",
                fix=suggestion(name, properties),
            )  # fmt: skip


def _shape(definition: Definition, path: Path, schema: Json, code: str) -> Iterator[Problem]:
    """Whatever else the meta-schema of JSON Schema says, at its deepest place."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema))
    if error is not None:
        where = (*path, *error.absolute_path)
        name = where[-1] if where else "schema"
        yield definition.problem(
            code, where, f"'{name}' is not right for JSON Schema: {unfit(error.validator, error.validator_value)}"
        )


_BOUNDS = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}


def unfit(rule: str, wanted: Any) -> str:
    """What breaking a rule of a JSON Schema means, in the author's words."""
    if rule == "type":
        return f"it must be {kinds_word([wanted] if isinstance(wanted, str) else wanted)}"
    if rule in _BOUNDS:
        return f"it must be {_BOUNDS[rule]} {wanted}"
    if rule == "enum":
        return f"it must be one of {listed(map(str, wanted))}"
    return f"it breaks the rule '{rule}'"


def _buildable(definition: Definition, path: Path, schema: Json, code: str) -> Iterator[Problem]:
    """The validator of the hot path must build it too; its regular expressions are checked on the way."""
    import jsonschema_rs

    try:
        jsonschema_rs.Draft202012Validator(schema, validate_formats=True, retriever=no_remote)
    except (ValueError, RecursionError) as error:
        reason = str(getattr(error, "message", None) or error).splitlines()[0]
        inside = tuple(getattr(error, "instance_path", ()))
        on = "value" if inside else "key"
        yield definition.problem(code, (*path, *inside), f"the schema cannot be used: {reason}", on=on)


def no_remote(uri: str) -> Any:
    """What a validator is told of an address: nothing is fetched."""
    message = f"{uri} is not in the schema, and nothing is fetched"
    raise ValueError(message)
