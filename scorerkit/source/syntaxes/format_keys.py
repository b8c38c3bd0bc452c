"""The keys of the format, for guesses about a file that does not parse: is this line a key or text?"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from scorerkit import shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

_INSIDE = ("if", "then", "else", "anyOf", "oneOf", "allOf")


def is_key(word: str) -> bool:
    """Whether the format has a key of this name somewhere."""
    return word in _keys()


def is_mapping(word: str) -> bool:
    """Whether every key of this name holds a mapping."""
    return _keys().get(word) == {"object"}


@cache
def _keys() -> dict[str, set[str]]:
    """Name → the kinds of its values, as far as the schemas name any."""
    found: dict[str, set[str]] = {}
    for name in ("scorer", "project"):
        root = shipped.schema(name)
        for key, schema in _properties(root):
            found.setdefault(key, set()).update(_kinds(schema, root))
    return found


def _properties(schema: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield from schema["properties"].items()
        schema = list(schema.values())
    if isinstance(schema, list):
        for inner in schema:
            yield from _properties(inner)


def _kinds(schema: Any, root: dict[str, Any]) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        yield from _kinds(root["$defs"].get(schema["$ref"].rpartition("/")[2]), root)
    kinds = schema.get("type", ())
    yield from [kinds] if isinstance(kinds, str) else kinds
    for key in _INSIDE:
        for inner in schema[key] if isinstance(schema.get(key), list) else [schema.get(key)]:
            yield from _kinds(inner, root)
