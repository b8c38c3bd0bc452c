"""JSON that the fast parser refuses: halves of surrogate pairs are mended, the rest is said in words."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, NoReturn

import orjson

from scorerkit.errors import RecordError

if TYPE_CHECKING:
    from scorerkit.model.json import Json

BAD_RECORD = "bad-record"
TOO_DEEP = "values are nested too deeply"

_HALF_PAIR = re.compile("[\ud800-\udfff]")
_INT64 = range(-(2**63), 2**64)


def deep(value: Json) -> RecordError | None:
    """Why a value cannot be hashed, shown or written: nested further than the fast writer goes, 254 levels."""
    try:
        orjson.dumps(value)
    except TypeError:
        return RecordError(BAD_RECORD, TOO_DEEP)
    return None


def mended(raw: bytes) -> tuple[Json, int]:
    """The value of a JSON text, and how many lone surrogates in it became U+FFFD.

    Raises:
        RecordError: it is not strict JSON (``bad-record``), with the place inside ``raw``.
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} (0x{raw[error.start]:02x}) is not UTF-8"
        raise RecordError(BAD_RECORD, message, fix="save the data as UTF-8") from None
    try:
        value = json.loads(text, parse_constant=_refused, parse_int=_whole, parse_float=_finite)
        return _without_half_pairs(value)
    except json.JSONDecodeError as error:
        said = error.msg[:1].lower() + error.msg[1:].removesuffix(" starting at")
        message = f"this is not JSON: {said} at {_place(text, error)}"
    except RecursionError:
        message = TOO_DEEP
    raise RecordError(BAD_RECORD, message)


def _place(text: str, error: json.JSONDecodeError) -> str:
    if error.pos >= len(text.rstrip()):
        return "its end"
    line = f"line {error.lineno}, " if "\n" in text.rstrip() else ""
    return f"{line}character {error.colno}"


def _refused(constant: str) -> NoReturn:
    message = f"{constant} is not JSON"
    raise RecordError(BAD_RECORD, message, fix="write null, or leave the record out")


def _whole(digits: str) -> int | float:
    """Beyond 64 bits a whole number becomes a float, as the fast parser does it."""
    if len(digits) > 20:
        return _finite(digits)
    value = int(digits)
    return value if value in _INT64 else float(value)


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        message = "a number is too large"
        raise RecordError(BAD_RECORD, message)
    return value


def _without_half_pairs(value: Json) -> tuple[Json, int]:
    match value:
        case str():
            return _HALF_PAIR.subn("\ufffd", value)
        case list():
            items = [_without_half_pairs(item) for item in value]
            return [item for item, _ in items], sum(count for _, count in items)
        case dict():
            entries = [(_without_half_pairs(key), _without_half_pairs(inner)) for key, inner in value.items()]
            count = sum(of_key + of_value for (_, of_key), (_, of_value) in entries)
            return {key: inner for (key, _), (inner, _) in entries}, count
        case _:
            return value, 0
