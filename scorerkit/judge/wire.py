"""A JSON Schema as providers' strict modes take it.

The subset is that of OpenAI's structured outputs (platform.openai.com/docs/guides/structured-outputs, read 2025-11):
every object closed, every property required, no bounds, no formats, ``anyOf`` instead of ``oneOf``. What is dropped
here is still checked when the answer comes back, against the author's own schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scorerkit.model.json import Json

WRAPPED = "value"
"""The key that holds an answer whose root is not an object."""

_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_SHARED = ("$defs", "definitions")
_OPEN = ("patternProperties", "propertyNames", "unevaluatedProperties", "dependentSchemas")


class _NotStrict(Exception):  # noqa: N818 - a verdict, not an error
    """Strict mode cannot say this; closing it would lose answers that the author allows."""


def is_object_schema(schema: Json) -> bool:
    """Whether every answer is an object, at the root and without a reference."""
    return isinstance(schema, dict) and schema.get("type") == "object"


def wire_schema(schema: Json) -> tuple[dict[str, Json], bool]:
    """The schema for native output, and whether it is in the strict subset.

    A schema that strict mode cannot express (maps with free keys, untyped fields) goes out as the author wrote it.
    A root that is not an object is wrapped as ``{"value": …}`` either way.
    """
    rooted = schema if is_object_schema(schema) else _wrapped(schema)
    try:
        return _adapted(rooted), True
    except _NotStrict:
        return rooted, False


def _wrapped(schema: Json) -> dict[str, Json]:
    """The schema under a root object: shared definitions stay at the root, other references follow the move."""
    shared = {key: schema[key] for key in _SHARED if isinstance(schema, dict) and key in schema}
    inner = {key: value for key, value in schema.items() if key not in _SHARED} if isinstance(schema, dict) else schema
    moved = _moved({"inner": inner, **shared})
    root = {"type": "object", "properties": {WRAPPED: moved.pop("inner")}, "required": [WRAPPED]}
    return {**root, "additionalProperties": False, **moved}


def _moved(node: Json) -> Json:
    if isinstance(node, list):
        return [_moved(item) for item in node]
    if not isinstance(node, dict):
        return node
    copy = {key: _moved(value) for key, value in node.items()}
    target = copy.get("$ref")
    if isinstance(target, str) and target.startswith("#") and not target.startswith(tuple(f"#/{k}/" for k in _SHARED)):
        copy["$ref"] = f"#/properties/{WRAPPED}{target[1:]}"
    return copy


def _adapted(schema: Json) -> dict[str, Any]:
    if not isinstance(schema, dict):
        raise _NotStrict  # true and false
    schema = _merged(schema)
    shared = {key: {name: _adapted(sub) for name, sub in schema[key].items()} for key in _SHARED if key in schema}
    return {**_core(schema), **shared}


def _core(schema: Mapping[str, Json]) -> dict[str, Json]:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    text = {"description": schema["description"]} if isinstance(schema.get("description"), str) else {}
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches and "properties" not in schema:
        return {**text, "anyOf": [_adapted(branch) for branch in branches]}
    kind = schema["type"] if "type" in schema else _type_of_values(schema)
    kinds = kind if isinstance(kind, list) else [kind]
    core: dict[str, Json] = {"type": kind, **text}
    if "object" in kinds:
        core |= _closed(schema)
    if "array" in kinds:
        core["items"] = _items(schema)
    return core | {key: schema[key] for key in ("enum", "const") if key in schema}


def _closed(schema: Mapping[str, Json]) -> dict[str, Json]:
    properties, required = schema.get("properties") or {}, schema.get("required") or []
    free = isinstance(schema.get("additionalProperties"), dict) or any(key in schema for key in _OPEN)
    if free or not properties or not set(required) <= set(properties):
        raise _NotStrict
    fields = {name: _adapted(sub) if name in required else _nullable(_adapted(sub)) for name, sub in properties.items()}
    return {"properties": fields, "required": list(fields), "additionalProperties": False}


def _nullable(schema: dict[str, Json]) -> dict[str, Json]:
    """The adapted schema, or null: how an optional field is said where all fields are required."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if "null" in kinds or {"type": "null"} in schema.get("anyOf", ()):
        return schema
    if kind is None or {"object", "array"} & set(kinds) or "const" in schema:
        text = {"description": schema.pop("description")} if "description" in schema else {}
        return {**text, "anyOf": [*(schema["anyOf"] if set(schema) == {"anyOf"} else [schema]), {"type": "null"}]}
    widened: dict[str, Json] = {**schema, "type": [*kinds, "null"]}
    if "enum" in schema:
        widened["enum"] = [*schema["enum"], None]
    return widened


def _items(schema: Mapping[str, Json]) -> dict[str, Json]:
    if "prefixItems" in schema:
        kinds = [_adapted(item) for item in schema["prefixItems"]]
        kinds += [_adapted(schema["items"])] if isinstance(schema.get("items"), dict) else []
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return _adapted(schema.get("items"))


def _merged(schema: dict[str, Json]) -> dict[str, Json]:
    """The schema with the objects of its ``allOf`` put into it."""
    parts = schema.get("allOf")
    if not parts:
        return schema
    merged = {key: value for key, value in schema.items() if key != "allOf"}
    for part in parts:
        if not isinstance(part, dict) or "$ref" in part:
            raise _NotStrict
        known = merged.get("properties", {})
        merged = {**part, **merged}
        if "properties" in part:
            merged["properties"] = {**known, **{k: v for k, v in part["properties"].items() if k not in known}}
        merged["required"] = _joined(merged.get("required", ()), part.get("required", ()))
    return _merged(merged) if "allOf" in merged else merged


def _joined(first: Iterable[str], second: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))


def _type_of_values(schema: Mapping[str, Json]) -> Json:
    values = [schema["const"]] if "const" in schema else schema.get("enum") or []
    kinds = list(dict.fromkeys(_TYPES.get(type(value)) for value in values))
    if not kinds or None in kinds:
        raise _NotStrict
    return kinds[0] if len(kinds) == 1 else kinds
