"""What a function takes, checked in one way: a ValueError names the function and shows the value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_LONGEST = 60
_LONGEST_NUMBER = 200  # bits: Python refuses to spell out numbers of more than 4300 digits


def as_text(name: str, value: Json) -> str:
    """The value, which must be text."""
    if isinstance(value, str):
        return value
    message = f"{name} needs text, not {shown(value)}"
    raise ValueError(message)


def as_list(name: str, value: Json) -> list[Json]:
    """The value, which must be a list; a template's ``map`` and ``select`` give generators, which are read out."""
    if isinstance(value, list):
        return value
    if isinstance(value, (str, bytes, dict)) or not isinstance(value, Iterable):
        message = f"{name} needs a list, not {shown(value)}"
        raise ValueError(message)  # noqa: TRY004 - authors meet one kind of error
    return list(value)


def as_filled_list(name: str, value: Json) -> list[Json]:
    """The value, which must be a list of at least one item."""
    items = as_list(name, value)
    if items:
        return items
    message = f"{name} of nothing: the list is empty"
    raise ValueError(message)


def shown(value: Json) -> str:
    """How a message names a refused value: short, in an author's words, never in Python's spelling."""
    if isinstance(value, str):
        return f"the text '{_cut(value)}'"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER:
        return "a very long number"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, (list, tuple)) else f"a {type(value).__name__}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
