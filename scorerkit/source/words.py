"""What authors call the kinds of values, which depends on the syntax they write."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.source.document import Syntax

_TOML = {"a mapping": "a table", "a list": "an array", "text": "a string"}


def kind_of(value: Json, syntax: Syntax = "yaml") -> str:
    """``value``'s kind with its article, as in "must be a mapping, not …": the author's word, never Python's."""
    match value:
        case None:
            word = "null"
        case bool():
            word = "true" if value else "false"
        case int() | float():
            word = "a number"
        case str():
            word = "text"
        case list():
            word = "a list"
        case _:
            word = "a mapping"
    return _TOML.get(word, word) if syntax == "toml" else word
