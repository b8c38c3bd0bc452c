"""Text into prompts, and plain measures of text."""

from __future__ import annotations

import json as stdlib_json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

import orjson

from scorerkit.functions.arguments import as_text, shown

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_SHORTEST_MARK = 8
_LONGEST_LABEL = 60
WHITESPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""What JavaScript calls whitespace, as the inside of a character class."""
_SPACES = re.compile(f"[{WHITESPACE}]+")


def json(value: Json) -> str:
    """The value as one line of JSON: non-ASCII letters as they are, nothing escaped for HTML.

    Raises:
        ValueError: it holds NaN, an infinity, or something that is not JSON.
    """
    if isinstance(value, Iterator):  # a template's map and select give generators
        value = list(value)
    try:
        text = orjson.dumps(value).decode()
    except TypeError:  # also what JSON allows and orjson does not: long whole numbers, deep nesting
        return _plain_json(value)
    if "null" in text:  # orjson writes NaN as null
        _check_finite(value)
    return text


def fenced(value: Json, label: str = "data") -> str:
    """The text, unchanged, between two marker lines that do not occur in it; other values as JSON.

    The mark is a prefix of the text's SHA-256, made longer until the text does not hold it: equal texts get equal
    marks, and nobody can write the closing line of a text from inside that text.

    Raises:
        ValueError: a label that is not one short line, or a value that is not JSON.
    """
    if not isinstance(label, str) or not 0 < len(label) <= _LONGEST_LABEL or not label.isprintable() or ">>>" in label:
        message = f"fenced needs a label of 1 to {_LONGEST_LABEL} characters in one line, not {shown(label)}"
        raise ValueError(message)
    text = value if isinstance(value, str) else json(value)
    mark = _mark(text)
    return f"<<<{label} {mark}\n{text}\n{mark}>>>"


def similarity(first: str, second: str) -> float:
    """How alike two texts are, 0 to 1: the Sørensen-Dice coefficient of their pairs of neighbouring characters.

    As the npm package ``string-similarity`` has it: whitespace does not count, case does; equal texts are 1, also two
    empty ones; beyond that a text of one character is like no other. A character outside the basic plane counts as
    two. Content similarity of two sets of repeated pairs takes each as often as both have it.
    """
    one, two = _units(_squeezed(first), _squeezed(second))
    if one == two:
        return 1.0
    if len(one) < 2 or len(two) < 2:
        return 0.0
    common = Counter(pairwise(one)) & Counter(pairwise(two))
    return 2 * common.total() / (len(one) + len(two) - 2)


def contains_any(text: str, terms: list[str] | str, ignore_case: bool = True) -> bool:
    """Whether at least one of the terms occurs in the text, also inside a word.

    Raises:
        ValueError: no terms, an empty term, or something that is not text.
    """
    wanted = [terms] if isinstance(terms, str) else list(terms) if isinstance(terms, Iterable) else []
    if not wanted or not all(isinstance(term, str) and term for term in wanted):
        message = "contains_any needs a list of terms, none of them empty"
        raise ValueError(message)
    where = as_text("contains_any", text)
    if ignore_case:
        folded = where.casefold()
        return any(term.casefold() in folded for term in wanted)
    return any(term in where for term in wanted)


def _mark(text: str) -> str:
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(_SHORTEST_MARK, len(digest) + 1):
        if digest[:length] not in text:
            return digest[:length]
    return _mark(text + digest)


def _squeezed(text: str) -> str:
    return _SPACES.sub("", as_text("similarity", text))


def _units(one: str, two: str) -> tuple[Sequence[int] | str, Sequence[int] | str]:
    """Two texts as what JavaScript counts as characters, UTF-16 units: their own letters where those are the same."""
    if max(one + two, default="") <= "\uffff":
        return one, two
    return _utf16(one), _utf16(two)


def _utf16(text: str) -> tuple[int, ...]:
    return tuple(memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H"))


def _plain_json(value: Json) -> str:
    try:
        return stdlib_json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (ValueError, TypeError) as error:
        message = f"json: {error}"
    except RecursionError:
        message = "json: the value is nested too deep"
    raise ValueError(message)


def _check_finite(value: Json) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        message = f"json: {value} is not a number that JSON has"
        raise ValueError(message)
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return
    for item in value:
        _check_finite(item)
