"""How things of a definition are called in messages: the author's words, by the file's own syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.model.json import Json, Path

_TOML = {"a mapping": "a table", "a list": "an array", "text": "a string"}
_SCHEMA = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


def kind_word(value: Json, syntax: str = "yaml") -> str:
    """The kind of a value: 'a mapping', 'text', … or TOML's words for them."""
    if value is None:
        word = "empty"
    elif isinstance(value, bool):
        word = "true or false"
    elif isinstance(value, (int, float)):
        word = "a number"
    else:
        kinds = ((str, "text"), (dict, "a mapping"), (list, "a list"))
        word = next(name for kind, name in kinds if isinstance(value, kind))
    return _TOML.get(word, word) if syntax == "toml" else word


def kinds_word(types: Iterable[str], syntax: str = "yaml") -> str:
    """JSON Schema's type names as 'text or a mapping'."""
    words = [_SCHEMA.get(name, name) for name in types]
    if syntax == "toml":
        words = [_TOML.get(word, word) for word in words]
    return " or ".join(words)


def thing(path: Path) -> str:
    """What stands at a path: 'generateScore', 'entry 2 of tags', or 'the scorer'."""
    if not path:
        return "the scorer"
    last = path[-1]
    if isinstance(last, int):
        return f"entry {last + 1} of '{_last_name(path)}'"
    return f"'{last}'"


def owner(path: Path, root: str = "a scorer") -> str:
    """The mapping that lacks a key: 'a scorer', 'judge', 'an entry of tests'."""
    if not path:
        return root
    if isinstance(path[-1], int):
        return f"an entry of '{_last_name(path)}'"
    return f"'{path[-1]}'"


def _last_name(path: Path) -> str:
    return next((key for key in reversed(path) if isinstance(key, str)), "")
