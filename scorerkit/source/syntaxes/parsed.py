"""What every syntax gives, and what all of them refuse."""

from __future__ import annotations

import datetime as dt
import math
import re
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.source.places import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json, Path
    from scorerkit.model.problem import Problem
    from scorerkit.source.page import Page
    from scorerkit.source.places import Spots

DEEPEST = 64
"""Collections that may stand inside each other, the outermost counted."""

VALUES = 100_000
"""Values whose places are kept."""

LARGEST_WHOLE = 2**53 - 1
"""Beyond it JSON readers no longer agree on a whole number (RFC 8785 refuses it for that reason)."""

TOO_DEEP = f"values are nested more than {DEEPEST} levels deep"

_HALF_PAIR = re.compile("[\ud800-\udfff]")


class Parsed(NamedTuple):
    value: Json
    spots: Spots


class Foreign(NamedTuple):
    """A value that a scorer file cannot hold, and what to say of it."""

    path: Path
    code: str
    message: str
    fix: str | None = None


def checked(page: Page, parsed: Parsed, base: Path) -> Parsed | list[Problem]:
    """``parsed``, or a problem for every foreign value at and below ``base``."""
    value = parsed.value
    for key in base:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    problems = [
        page.problem(found.code, walk(parsed.spots(), found.path)[0].place, found.message, fix=found.fix)
        for found in _foreign(value, base)
    ]
    return sorted(problems, key=lambda problem: problem.order) or parsed


def whole_number(digits: str) -> int | float:
    """A JSON or YAML whole number; infinity if it has so many digits that converting them would take long."""
    return int(digits) if len(digits) < 400 else math.inf


def number_trouble(value: float) -> str | None:
    """Why a number cannot be kept, or None."""
    if isinstance(value, int):
        return "this number is too large to be kept exactly" if abs(value) > LARGEST_WHOLE else None
    if math.isnan(value):
        return "'nan' cannot stand here"
    return "infinity, or a number too large for the format, cannot stand here" if math.isinf(value) else None


def _foreign(value: Json, path: Path) -> Iterator[Foreign]:
    match value:
        case dict() | list() if len(path) >= DEEPEST:
            yield Foreign(path, "syntax", TOO_DEEP)
        case dict():
            for key, inner in value.items():
                yield from _foreign(inner, (*path, key))
        case list():
            for index, inner in enumerate(value):
                yield from _foreign(inner, (*path, index))
        case dt.date() | dt.time():
            kind = "time" if isinstance(value, dt.time) else "date"
            yield Foreign(path, "wrong-type", f"a {kind} cannot stand here", "put it in quotes: it is text then")
        case str() if _HALF_PAIR.search(value) or (path and _HALF_PAIR.search(str(path[-1]))):
            yield Foreign(path, "syntax", "this text holds half of a surrogate pair", "write the whole character")
        case int() | float() if number_trouble(value):
            yield Foreign(path, "wrong-type", f"{number_trouble(value)}", "put it in quotes if it is text")
