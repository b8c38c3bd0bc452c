"""The judge's text → one JSON value: tolerant of what judges do around it, never of what could be two answers.

Linear in the length of the text: each failed attempt goes on after the place where it failed, and their number is
bounded.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.json import Json

_REASONING = re.compile(r"\s*+<(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSINGS = {name: re.compile(f"</{name}>", re.IGNORECASE) for name in ("think", "thinking", "reasoning")}
_FENCED = re.compile(r"```[A-Za-z0-9_-]*[ \t]*\r?\n(.*)\n?[ \t]*```", re.DOTALL)
_OPENING = re.compile(r'\{\s*+["}]|\[\s*+[\[{"\]\-0-9tfn]')
_BROKEN_IS_JSON = re.compile(r'\{\s*+"|\[\s*+\{')
_MAX_BROKEN = 200


class Unreadable(ValueError):  # noqa: N818 - says what the text is
    """The text holds no JSON value, or not exactly one. The message says why, in words for the judge."""


def _constant(name: str) -> Json:
    msg = f"{name} is not JSON"
    raise Unreadable(msg)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        msg = f"the number {text[:40]} is too large"
        raise Unreadable(msg)
    return value


def _integer(text: str) -> int:
    if len(text) > 300:
        _number(text)
        msg = f"the number {text[:40]}… is too long"
        raise Unreadable(msg)
    return int(text)


def _object(pairs: Sequence[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for index, key in enumerate(keys) if key in keys[:index])
        msg = f"the key '{twice[:80]}' is given twice in one object"
        raise Unreadable(msg)
    return value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_number, parse_int=_integer, parse_constant=_constant
)


def read_json(text: str, *, objects_only: bool = False) -> Json:
    """The one JSON value of an answer.

    Args:
        text: the raw answer.
        objects_only: an object is wanted, so lists without objects (``[1]``, a footnote) in prose are prose.

    Raises:
        Unreadable: no value, two different ones, or one that is not strict JSON.
    """
    body = text.strip().removeprefix("\ufeff").lstrip()
    if not body:
        msg = "the answer was empty"
        raise Unreadable(msg)
    body, unclosed = _after_reasoning(body)
    try:
        value = _whole(body)
    except json.JSONDecodeError:
        value = _only_value(body, objects_only=objects_only, at_end=unclosed)
    return _checked(value, body)


def _whole(body: str) -> Json:
    """The whole text, or the whole content of one fence, as JSON: here a bare number or text counts as well."""
    try:
        return _DECODER.decode(body)
    except json.JSONDecodeError:
        fenced = _FENCED.fullmatch(body)
        if fenced is None:
            raise
        return _DECODER.decode(fenced[1].strip())
    except RecursionError:
        msg = "the JSON is nested too deeply"
        raise Unreadable(msg) from None


def _after_reasoning(body: str) -> tuple[str, bool]:
    """The text after leading reasoning tags, and whether one of them was never closed.

    Only leading tags count: further on they may be part of a quoted candidate and must hide nothing.
    """
    position = 0
    while opening := _REASONING.match(body, position):
        closing = _CLOSINGS[opening[1].lower()].search(body, opening.end())
        if closing is None:
            return body[opening.end() :], True
        position = closing.end()
    if position == len(body):
        msg = "there was reasoning and no answer after it"
        raise Unreadable(msg)
    return body[position:], False


def _only_value(body: str, *, objects_only: bool, at_end: bool) -> Json:
    """The JSON value that stands in prose.

    ``at_end``: reasoning was opened and never closed, so only what ends the text can be the answer.
    """
    found: list[tuple[Json, int]] = []
    position = broken = 0
    while opening := _OPENING.search(body, position):
        start = opening.start()
        try:
            value, position = _DECODER.raw_decode(body, start)
        except json.JSONDecodeError as error:
            broken += 1
            position = max(error.pos, start + 1)
            if _BROKEN_IS_JSON.match(body, start) or broken > _MAX_BROKEN:
                msg = f"the JSON is broken: {error.msg.lower()} at '{body[error.pos : error.pos + 30]}'"
                raise Unreadable(msg) from None
            continue
        except RecursionError:
            msg = "the JSON is nested too deeply"
            raise Unreadable(msg) from None
        if not objects_only or isinstance(value, dict) or _holds_object(value):
            _add(found, value, position)
    if not found or (at_end and body[found[-1][1] :].strip("` \t\r\n")):
        msg = "the answer holds no JSON"
        raise Unreadable(msg)
    return found[0][0]


def _add(found: list[tuple[Json, int]], value: Json, end: int) -> None:
    if found and _canonical(found[0][0]) != _canonical(value):
        msg = "the answer holds two different JSON values; it must hold exactly one"
        raise Unreadable(msg)
    found.append((value, end))


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True)


def _holds_object(value: Json) -> bool:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            return True
        if isinstance(item, list):
            waiting.extend(item)
    return False


def _checked(value: Json, body: str) -> Json:
    """The value, unless it holds half a character: such text can be stored nowhere."""
    if "\\u" in body or not body.isascii():
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            msg = "the answer holds half a character (a lone surrogate)"
            raise Unreadable(msg) from None
    return value
