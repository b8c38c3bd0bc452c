"""What can be read from a value that a JSON Schema describes. Where a schema is open, nothing is claimed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorerkit.model.json import Json

MAX_REFERENCES = 32
MAX_DEPTH = 32
_FEW = (("boolean", True), ("boolean", False), ("null", None))


@dataclass(frozen=True, slots=True)
class Known:
    """A schema and the document that its ``$ref`` resolve in.

    Attributes:
        label: what messages call the value.
        maybe_null: the step whose result it is, when that step may be skipped.
        fields: the only fields there are, each with its own schema and root; None where ``schema`` says them.
    """

    schema: Json
    root: Json
    label: str = "value"
    maybe_null: str | None = None
    fields: Mapping[str, Known] | None = None


OPEN = Known({}, {})
"""A value of which nothing is known."""


def _branches(known: Known) -> Iterator[dict[str, Any]]:
    """The alternatives that a schema allows, references followed; an unreadable one is open."""
    waiting, followed = [known.schema], 0
    while waiting:
        schema = waiting.pop()
        if not isinstance(schema, dict):
            yield {}
            continue
        if "$ref" in schema and followed < MAX_REFERENCES:
            followed += 1
            waiting.append(_resolve(known.root, schema["$ref"]))
        elif alternatives := [*schema.get("anyOf", ()), *schema.get("oneOf", ())]:
            waiting += alternatives
        else:
            yield schema


def _resolve(root: Json, pointer: Json) -> Json:
    if not (isinstance(pointer, str) and pointer.startswith("#")):
        return {}
    found = root
    for part in pointer[1:].split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        found = found.get(name, {}) if isinstance(found, dict) else {}
    return found


def _types(schema: dict[str, Any]) -> set[str]:
    kinds = schema.get("type", [])
    return {kinds} if isinstance(kinds, str) else set(kinds)


def field(known: Known, name: str) -> tuple[Known | None, list[str]]:
    """The field ``name`` of a value: what is known of it, or None where it cannot exist, and the fields that can."""
    if known.fields is not None:
        return known.fields.get(name), list(known.fields)
    allowed: list[str] = []
    for schema in _branches(known):
        kinds = _types(schema)
        if "allOf" in schema or "if" in schema:
            return OPEN, []
        properties = schema.get("properties")
        if isinstance(properties, dict):
            if name in properties:
                return Known(properties[name], known.root, name), []
            extra = schema.get("additionalProperties", False)
            if extra is not False or "patternProperties" in schema:
                return Known(extra if isinstance(extra, dict) else {}, known.root, name), []
            allowed += [key for key in properties if key not in allowed]
        elif not kinds or "object" in kinds:
            extra = schema.get("additionalProperties", {})
            return Known(extra if isinstance(extra, dict) else {}, known.root, name), []
    return None, allowed


def item(known: Known) -> Known:
    """What is known of the entries of a list."""
    found = [schema["items"] for schema in _branches(known) if isinstance(schema.get("items"), dict)]
    return Known(found[0], known.root, f"an entry of {known.label}") if len(found) == 1 else OPEN


def only_type(known: Known) -> str | None:
    """The one JSON type that a value has (null aside), where the schema says just one."""
    kinds: set[str] = set()
    for schema in _branches(known):
        found = _types(schema)
        if not found:
            return None
        kinds |= found
    kinds.discard("null")
    return kinds.pop() if len(kinds) == 1 else None


def choices(known: Known) -> list[Json] | None:
    """All values that a value can be, where its schema lists them; None where it may be something else."""
    if known.fields is not None:
        return None
    found: list[Json] = []
    for schema in _branches(known):
        if "enum" in schema:
            found += schema["enum"]
        elif "const" in schema:
            found.append(schema["const"])
        elif _types(schema) and _types(schema) <= {"boolean", "null"}:
            found += [value for kind, value in _FEW if kind in _types(schema)]
        else:
            return None
    return found


def closed(label: str, fields: Mapping[str, Known]) -> Known:
    """An object with exactly these fields."""
    return Known({"type": "object"}, {}, label, fields=fields)


def described(schema: Json, label: str) -> Known:
    """A value that a schema of its own describes."""
    return Known(schema, schema, label) if isinstance(schema, dict) else OPEN


def holds_text(known: Known, depth: int = 0) -> bool:
    """Whether text of any wording may stand in a value; not in numbers, closed choices, and what holds only those."""
    if known.fields is not None or depth > MAX_DEPTH:
        return True
    return any(_open_text(Known(schema, known.root), depth) for schema in _branches(known))


def _open_text(known: Known, depth: int) -> bool:
    schema = known.schema
    kinds = _types(schema)
    if "enum" in schema or "const" in schema:
        return False
    if not kinds or "string" in kinds:
        return True
    inner = list(schema.get("properties", {}).values()) if "object" in kinds else []
    if "object" in kinds and not inner:
        return True
    if "array" in kinds:
        inner.append(schema.get("items"))
    return any(holds_text(Known(each, known.root), depth + 1) for each in inner)
