"""JSON Schemas inside a definition: output schemas, the parts of ``type``, params."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.check.suggest import closest, listed, suggestion
from scorerkit.model.stage import STEPS

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
        found = list(_walk(definition, path, schema, schema, code))
        found = found or list(_shape(definition, path, schema, code)) or list(_buildable(definition, path, schema, code))
        yield from found


def _walk(definition: Definition, path: Path, schema: Json, root: Json, code: str) -> Iterator[Problem]:
    """Mistakes that are common enough for a sentence of their own."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        where = (*path, key)
        if key == "type":
            yield from _types(definition, where, value, code)
        elif key == "$ref":
            yield from _reference(definition, where, value, root, code)
        elif key == "required" and isinstance(value, list) and code == "bad-output-schema" and path[0] == "steps":
            yield from _required(definition, where, value, schema)
        elif key in NAMED and isinstance(value, dict):
            for name, inner in value.items():
                yield from _walk(definition, (*where, name), inner, root, code)
        elif key in LISTED and isinstance(value, list):
            for index, inner in enumerate(value):
                yield from _walk(definition, (*where, index), inner, root, code)
        elif key in SINGLE:
            yield from _walk(definition, where, value, root, code)
        elif key not in KEYWORDS and not key.startswith("x-"):
            fix = suggestion(key, [name for name in KEYWORDS if name not in schema])
            yield definition.problem(code, where, f"'{key}' is not a keyword of JSON Schema", on="key", fix=fix)


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


def _reference(definition: Definition, path: Path, value: Json, root: Json, code: str) -> Iterator[Problem]:
    if not isinstance(value, str):
        return
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
        if isinstance(name, str) and name not in properties:
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
        yield definition.problem(code, where, f"'{name}' is not right for JSON Schema: {_plain(error)}")


def _plain(error: Any) -> str:
    kinds = {"string": "text", "object": "a mapping", "array": "a list", "boolean": "true or false"}
    if error.validator == "type":
        wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        return "it must be " + " or ".join(kinds.get(kind, f"a {kind}") for kind in wanted)
    if error.validator in ("minimum", "exclusiveMinimum"):
        return f"it must be at least {error.validator_value}"
    return "its form is wrong"


def _buildable(definition: Definition, path: Path, schema: Json, code: str) -> Iterator[Problem]:
    """The validator of the hot path must build it too; its regular expressions are checked on the way."""
    import jsonschema_rs

    try:
        jsonschema_rs.Draft202012Validator(schema, validate_formats=True, retriever=_no_remote)
    except (ValueError, RecursionError) as error:
        reason = str(getattr(error, "message", None) or error)
        yield definition.problem(code, path, f"the schema cannot be used: {reason.splitlines()[0]}", on="key")


def _no_remote(uri: str) -> Any:
    message = f"{uri} is not in the schema, and nothing is fetched"
    raise ValueError(message)
