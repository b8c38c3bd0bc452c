"""One rule by which Python values become JSON values, and by which JSON values become text."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sized
from enum import Enum
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from scorerkit.model.json import Json

MAX_DEPTH = 200
MAX_ITEMS = 1_000_000
"""Items of something that does not know its length."""

LARGEST = sys.float_info.max
"""Whole numbers beyond it are no JSON numbers that others can read."""


def to_json(value: object, depth: int = 0) -> Json:
    """Convert what a function or an expression returned to a JSON value that shares nothing mutable with it.

    Text, finite numbers, true, false and None stay; dataclasses, pydantic models and mappings with text keys become
    objects; lists, tuples and other iterables become lists; sets become sorted lists; enums their value; dates and
    times ISO 8601 text.

    Raises:
        TypeError: for anything else, naming the type.
        ValueError: for NaN, infinities, whole numbers beyond the largest float and nesting beyond 200.
    """
    if value is None or value is True or value is False:
        return value
    kind = type(value)
    if kind is str:
        return value
    if isinstance(value, int):
        if abs(value) > LARGEST:
            message = "a whole number is too large"
            raise ValueError(message)
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            message = f"{value} is not a JSON number"
            raise ValueError(message)
        return float(value)
    if depth > MAX_DEPTH:
        message = f"the value is nested deeper than {MAX_DEPTH}"
        raise ValueError(message)
    return _container(value, depth + 1)


def _container(value: object, depth: int) -> Json:
    if isinstance(value, Enum):
        return to_json(value.value, depth)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {_key(key): to_json(item, depth) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name), depth) for field in dataclasses.fields(value)}
    if callable(dump := getattr(value, "model_dump", None)) and not isinstance(value, type):
        return to_json(dump(mode="json"), depth)
    if isinstance(value, (set, frozenset)):
        return sorted((to_json(item, depth) for item in value), key=json_text)
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, memoryview)):
        items = value if isinstance(value, Sized) else _ending(value)
        return [to_json(item, depth) for item in items]
    message = f"a value of type {type(value).__module__}.{type(value).__qualname__} is not JSON"
    raise TypeError(message.replace("builtins.", ""))


def _ending(items: Iterable[object]) -> Iterator[object]:
    """The items of a generator, which may have no end."""
    for count, item in enumerate(items):
        if count >= MAX_ITEMS:
            message = f"it gives more than {MAX_ITEMS:,} items"
            raise ValueError(message)
        yield item


def _key(key: object) -> str:
    if isinstance(key, str):
        return str(key)
    message = f"the key {key!r} of a mapping is not text"
    raise TypeError(message)


def copy_json(value: Json) -> Json:
    """Copy lists and mappings all the way down; JSON values only."""
    if isinstance(value, dict):
        return {key: copy_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy_json(item) for item in value]
    return value


def json_text(value: Json) -> str:
    """Compact JSON, non-ASCII unescaped, nothing escaped for HTML."""
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:  # whole numbers beyond 64 bits, broken characters
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def describe(value: object, limit: int = 80) -> str:
    """Show a value in a message: as JSON where it is JSON, cut to ``limit`` characters."""
    try:
        text = repr(value) if isinstance(value, str) else json_text(value)
    except (TypeError, ValueError, RecursionError):
        text = _shown(value)
    return text if len(text) <= limit else f"{text[:limit]}…"


def _shown(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # an author's own class may raise anything
        return f"<{type(value).__name__}>"


def kind_of(value: object) -> str:
    """The word that authors use for the kind of a JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    for kind, word in ((str, "text"), ((int, float), "a number"), (Mapping, "a mapping"), ((list, tuple), "a list")):
        if isinstance(value, kind):
            return word
    return type(value).__name__
