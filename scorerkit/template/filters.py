"""Jinja's own filters as this project has them: bounded, deterministic, and never turning an error into a number."""

from __future__ import annotations

import math
from functools import wraps
from typing import TYPE_CHECKING, Any

from jinja2.filters import FILTERS as JINJA_FILTERS
from jinja2.filters import do_indent, do_wordwrap
from jinja2.runtime import Undefined

from scorerkit import functions
from scorerkit.conversion import describe, json_text, to_json
from scorerkit.template.limits import (
    MAX_GROWTH,
    TemplateLimit,
    built,
    charge,
    check_growth,
    concat,
    drained,
    turns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scorerkit.model.json import Json

REMOVED = ("attr", "forceescape", "pprint", "random", "safe", "tojson", "urlize", "xmlattr")
"""Not offered: they reach attributes, mark HTML, or differ from run to run."""

MAX_COPIED = 2**28
"""Characters that wrapping one word may copy."""

_MISSING: Any = object()


def text_of(value: Json) -> str:
    """What ``{{ value }}`` puts in: text as it is, everything else as JSON."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if isinstance(value, Undefined):
        return str(value)  # raises, naming what is missing
    if isinstance(value, str):
        return str(value)
    if kind is bool or kind is int or kind is float or value is None:
        return json_text(value)
    return json_text(bounded_json(value))


def bounded_json(value: object) -> Json:
    """A JSON value whose size has been charged: shared parts of a hand-made value count each time."""
    charge(value)
    return to_json(value)


def as_int(value: Any, default: Any = _MISSING, base: int = 10) -> Any:
    """A whole number. Jinja's ``int`` gives 0 for what is none; this one fails unless a default is given."""
    try:
        if base != 10 and isinstance(value, str):
            return int(value, base)
        return int(float(value)) if isinstance(value, str) and not value.strip().lstrip("+-").isdigit() else int(value)
    except (TypeError, ValueError, OverflowError):
        return _or_default(value, default)


def as_float(value: Any, default: Any = _MISSING) -> Any:
    """A finite number. Jinja's ``float`` gives 0 for what is none; this one fails unless a default is given."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return _or_default(value, default)
    return number if math.isfinite(number) else _or_default(value, default)


def _or_default(value: Any, default: Any) -> Any:
    if default is _MISSING:
        message = f"{describe(value)} is not a number"
        raise ValueError(message) from None
    return default


def join(value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
    """Items as text with ``d`` between them; ``attribute`` takes one key of each item."""
    items = drained(value)
    if attribute is not None:
        items = [item[attribute] for item in items]  # type: ignore[index]
    texts = [text_of(item) for item in items]
    return concat(part for index, text in enumerate(texts) for part in ((text,) if index == 0 else (d, text)))


def replace(value: str, old: str, new: str, count: int = -1) -> str:
    """``old`` by ``new``; the size is checked before it is built."""
    text = text_of(value)
    times = text.count(old) if count < 0 else min(text.count(old), count)
    check_growth(max(len(text) + times * (len(new) - len(old)), 0) if times * len(new) > MAX_GROWTH else 0, "replacing")
    return text.replace(old, new, count)


def center(value: str, width: int = 80) -> str:
    """The text in the middle of ``width`` spaces."""
    check_growth(width, "centring")
    return text_of(value).center(width)


def indent(value: str, width: int | str = 4, *args: Any, **more: Any) -> str:
    """Indent every line but the first."""
    text = text_of(value)
    check_growth((text.count("\n") + 1) * (width if isinstance(width, int) else len(width)), "indenting")
    return do_indent(text, width, *args, **more)


def batch(value: Iterable[Any], linecount: int, fill_with: Any = None) -> list[list[Any]]:
    """Lists of ``linecount`` items each; the last is filled up where ``fill_with`` is given."""
    check_growth(linecount, "batching")
    items = drained(value)
    if linecount < 1:
        message = "batch needs a size of at least 1"
        raise ValueError(message)
    rows = [items[start : start + linecount] for start in range(0, len(items), linecount)]
    if fill_with is not None and rows:
        rows[-1] = [*rows[-1], *[fill_with] * (linecount - len(rows[-1]))]
    built(rows[-1:])
    return rows


def as_list(value: Iterable[Any]) -> list[Any]:
    """A list of what a loop would see."""
    items = drained(value)
    built(items)
    return items


def one_by_one(name: str) -> Callable[..., Any]:
    """Jinja's filter of that name, charged for every item that it looks at."""
    original = JINJA_FILTERS[name]

    def filtered(context: Any, value: Iterable[Any], *args: Any, **more: Any) -> Any:
        return original(context, turns(value), *args, **more)

    filtered.jinja_pass_arg = original.jinja_pass_arg  # type: ignore[attr-defined]
    return filtered


def wordwrap(environment: Any, value: str, width: int = 79, *args: Any, **more: Any) -> str:
    """Break lines at ``width`` characters. Every break inside a word copies the rest of that word."""
    text, width = text_of(value), max(int(width), 1)
    longest = max(map(len, text.split()), default=0)
    if longest * longest // width > MAX_COPIED:
        message = f"a word of {longest:,} characters cannot be wrapped at {width:,}"
        raise TemplateLimit(message)
    between = next((item for item in (*args[1:2], more.get("wrapstring")) if isinstance(item, str)), "\n")
    check_growth(len(text) // width * (len(between) - 1), "wrapping")
    return do_wordwrap(environment, text, width, *args, **more)


wordwrap.jinja_pass_arg = JINJA_FILTERS["wordwrap"].jinja_pass_arg  # type: ignore[attr-defined]


def joined(parts: list[Any]) -> str:
    """``a ~ b``: as text, bounded."""
    return concat(text_of(part) for part in parts)


OWN: dict[str, Callable[..., Any]] = {
    "batch": batch,
    "center": center,
    "float": as_float,
    "indent": indent,
    "int": as_int,
    "join": join,
    "list": as_list,
    "map": one_by_one("map"),
    "reject": one_by_one("reject"),
    "rejectattr": one_by_one("rejectattr"),
    "replace": replace,
    "select": one_by_one("select"),
    "selectattr": one_by_one("selectattr"),
    "string": text_of,
    "wordwrap": wordwrap,
}


FOR_MISSING = ("d", "default")
"""The filters that are there for what is missing."""


def table() -> dict[str, Callable[..., Any]]:
    """Every filter by name: Jinja's, ours in their place, and the functions of this project."""
    kept = {name: function for name, function in JINJA_FILTERS.items() if name not in REMOVED and name != "format"}
    every = {**kept, **OWN, **functions.FILTERS}
    return {name: each if name in FOR_MISSING else of_what_is_there(each) for name, each in every.items()}


def of_what_is_there(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which is not called with what is missing: it would take that for nothing, or name Jinja's class."""

    @wraps(function)
    def called(*args: Any, **more: Any) -> Any:
        given = args if not more else (*args, *more.values())
        for value in given:
            if isinstance(value, Undefined):
                value._fail_with_undefined_error()  # noqa: SLF001 - jinja's own way to say what is missing
        try:
            return function(*args, **more)
        except (TypeError, ValueError):
            for value in given:
                _fail_on_missing(value)
            raise

    return called


def _fail_on_missing(value: object, depth: int = 3) -> None:
    """Raises where something is missing in a list or mapping that code put together."""
    if isinstance(value, Undefined):
        value._fail_with_undefined_error()  # noqa: SLF001
    elif isinstance(value, (list, dict)) and depth:
        for item in value.values() if isinstance(value, dict) else value:
            _fail_on_missing(item, depth - 1)
