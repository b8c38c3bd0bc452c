"""Values of the right kind that the meta-schema refuses: choices, bounds, sizes, forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.check.words import kind_word, thing
from scorerkit.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.definition import Definition
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem


def _unknown_value(definition: Definition, path: Path, error: Any) -> Problem:
    allowed = error.validator_value if error.validator == "enum" else [error.validator_value]
    texts = [value for value in allowed if isinstance(value, str)]
    shown = f"'{error.instance}'" if isinstance(error.instance, str) else kind_word(error.instance)
    fix = suggestion(str(error.instance), texts)
    return definition.problem("unknown-value", path, f"{thing(path)} cannot be {shown}", fix=fix)


def _size(definition: Definition, path: Path, error: Any) -> Problem:
    bound, keyword = error.validator_value, str(error.validator)
    if keyword in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
        side = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}
        return definition.problem(
            "out-of-range", path, f"{thing(path)} is {error.instance}; it must be {side[keyword]} {bound}"
        )
    if not error.instance:
        return definition.problem("unknown-value", path, f"{thing(path)} is empty", fix="say what it is, or remove it")
    count = f"at least {bound}" if keyword.startswith("min") else f"at most {bound}"
    return definition.problem(
        "unknown-value", path, f"{thing(path)} has {len(error.instance)} entries; there must be {count}"
    )


def _pattern(definition: Definition, path: Path, error: Any) -> Problem:
    rule = {
        "id": "letters, digits, '.', '_', '-' and '/'",
        "baseUrl": "an address that begins with http:// or https://",
        "maxErrors": "a count, or a percentage such as '2%'",
    }.get(str(path[-1]) if path else "", f"the form {error.validator_value}")
    return definition.problem("unknown-value", path, f"{thing(path)} cannot be '{error.instance}'", fix=f"use {rule}")


def bad_name(definition: Definition, path: Path, error: Any) -> Problem:
    """A key that the author may choose, and not so."""
    name = str(error.instance)
    return definition.problem(
        "unknown-value", (*path, name), f"'{name}' cannot be the name of a param", on="key",
        fix="use letters, digits and '_', not beginning with a digit",
    )  # fmt: skip


LEAVES: dict[str, Callable[[Definition, Path, Any], Problem]] = {
    "enum": _unknown_value,
    "const": _unknown_value,
    "minimum": _size,
    "maximum": _size,
    "exclusiveMinimum": _size,
    "exclusiveMaximum": _size,
    "minLength": _size,
    "minItems": _size,
    "maxItems": _size,
    "minProperties": _size,
    "pattern": _pattern,
}
"""Keyword of JSON Schema → the problem of a value that breaks it."""
