"""Values inside exported spans: JSON in text, ids, times, and attributes in their several layouts."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_TRACE_BYTES = 16
_SPAN_BYTES = 8
_NANOSECONDS = 1e6
_DEEPEST = 3


def hex_id(value: Json, size: int) -> str:
    """An id of ``size`` bytes as lower-case hexadecimal digits, whatever spelled it.

    Hexadecimal, base64, a number; what is none of these stays as it is, and what is no id is empty.
    """
    if isinstance(value, str):
        if len(value) == 2 * size:  # base64 of so many bytes has another length
            return value.lower()
        if value.startswith("0x"):
            return value[2:].lower().zfill(2 * size)
        return _from_base64(value, size)
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return f"{value:0{2 * size}x}"
    if isinstance(value, float) and value > 0:  # JSON readers turn whole numbers beyond 64 bits into these
        return f"{int(value):0{2 * size}x}"
    return ""


def trace_id(value: Json) -> str:
    return hex_id(value, _TRACE_BYTES)


def span_id(value: Json) -> str:
    return hex_id(value, _SPAN_BYTES)


def parsed(value: Json) -> Json:
    """What a text holds if it is JSON of an object, a list or a text in quotes; anything else is itself.

    Exporters put JSON into text, some of them twice.
    """
    for _ in range(_DEEPEST):
        if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "[", '"'}:
            return value
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
    return value


def milliseconds(nanoseconds: Json) -> float | None:
    """Of a number of nanoseconds, which OTLP writes as text."""
    try:
        return int(nanoseconds) / _NANOSECONDS or None
    except (TypeError, ValueError):
        return None


def branch(attributes: dict[str, Json], prefix: str) -> Json:
    """What stands under a key: as a value, as JSON text, or as ``prefix.0.a.b`` spread over many keys; else None."""
    whole = attributes.get(prefix)
    if whole is not None:
        value = parsed(whole)
        return grown(value) if _has_dots(value) else value
    start = f"{prefix}."
    spread = {key[len(start) :]: value for key, value in attributes.items() if key.startswith(start)}
    return grown(spread) if spread else None


def grown(value: Json) -> Json:
    """A value whose dotted keys became mappings, and whose mappings of numbers became lists."""
    if isinstance(value, list):
        return [grown(item) for item in value]
    if not isinstance(value, dict):
        return value
    made: dict[str, Json] = {}
    for key, inner in value.items():
        holder = made
        *way, last = key.split(".")
        for step in way:
            below = holder.get(step)
            if not isinstance(below, dict):
                below = holder[step] = {}
            holder = below
        holder[last] = inner
    return _listed({key: grown(inner) for key, inner in made.items()})


def flat(attributes: Json) -> dict[str, Json]:
    """Attributes with dotted keys, for exports that nest them."""
    if not isinstance(attributes, dict):
        return {}
    if not any(isinstance(value, dict) for value in attributes.values()):
        return attributes
    found: dict[str, Json] = {}
    waiting = list(attributes.items())
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, dict) and value:
            waiting += ((f"{key}.{inner}", below) for inner, below in value.items())
        else:
            found[key] = value
    return found


def number(value: Json) -> float | None:
    """A number from 0 up, also one in text; None for anything else."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 19:
        return int(value)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0 else None


def text(value: Json) -> str | None:
    """A text that says something; None for anything else."""
    return value if isinstance(value, str) and value else None


def _has_dots(value: Json) -> bool:
    """Whether keys of a mapping, or of mappings in a list, are dotted."""
    items = value if isinstance(value, list) else [value]
    return any("." in key for item in items if isinstance(item, dict) for key in item)


def _listed(value: dict[str, Json]) -> Json:
    if not value or not all(key.isascii() and key.isdecimal() and len(key) < 9 for key in value):
        return value
    return [value[key] for key in sorted(value, key=int)]


def _from_base64(value: str, size: int) -> str:
    if len(value) != 4 * ((size + 2) // 3):
        return value
    try:
        raw = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return value
    return raw.hex() if len(raw) == size else value
