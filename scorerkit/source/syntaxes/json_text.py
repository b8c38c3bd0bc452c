"""JSON: the value by the standard library, places by the YAML builder, which reads nearly all JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from scorerkit.model.problem import Place
from scorerkit.source.page import Page
from scorerkit.source.places import Spot
from scorerkit.source.syntaxes import yaml_text
from scorerkit.source.syntaxes.parsed import TOO_DEEP, Parsed, checked, whole_number

if TYPE_CHECKING:
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem

_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""Escapes that YAML does not know; another escape of the same length takes their place where places are looked for."""

_WORDS: tuple[tuple[str, str, str | None], ...] = (
    (
        "Expecting property name",
        "a key in double quotes is expected here",
        "quote it, or remove the ',' before '}'",
    ),
    ("Expecting value", "a value is expected here", "put text in double quotes"),
    ("Expecting ',' delimiter", "a ',' is missing here", None),
    ("Expecting ':' delimiter", "a ':' is missing here", None),
    ("Extra data", "there is more text after the value", "a file holds one value"),
    ("Unterminated string", "the quote that opens here is never closed", "close it"),
    ("Invalid control character", "a control character stands in a text", "write it as an escape such as '\\n'"),
    ("Invalid \\escape", "'\\' begins an escape that does not exist", "write '\\\\'"),
    ("Invalid \\uXXXX", "'\\u' is not followed by four hexadecimal digits", "write '\\\\' for the character itself"),
)


def parse(page: Page, base: Path = ()) -> Parsed | list[Problem]:
    """As :class:`SyntaxModule` says."""
    if not page.text.strip():
        return Parsed(None, _nowhere)
    repeated: list[str] = []

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            repeated.extend(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        return value

    try:
        value = json.loads(page.text, object_pairs_hook=mapping, parse_int=whole_number)
    except json.JSONDecodeError as error:
        return [_explained(page, error)]
    except RecursionError:
        return [page.problem("syntax", Place(), TOO_DEEP)]
    read, problems = yaml_text.build(Page(page.shown, _HALF_PAIR.sub("\\\\u0041", page.text)))
    if repeated:
        return _twice(page, problems, repeated)
    return checked(page, Parsed(value, read.spots if read else _nowhere), base)


def _nowhere() -> Spot:
    return Spot(Place(), (1, 1))


def _twice(page: Page, problems: list[Problem], repeated: list[str]) -> list[Problem]:
    """The YAML builder's findings, which have places; without one where it cannot read the text."""
    return [problem for problem in problems if problem.code == "duplicate-key"] or [
        page.problem("duplicate-key", Place(), f"'{key}' is given twice", fix="keep one of them") for key in repeated
    ]


def _explained(page: Page, error: json.JSONDecodeError) -> Problem:
    place = Place(error.lineno, error.colno)
    if page.text[error.pos :].startswith(("//", "/*", "#")):
        return page.problem("syntax", place, "JSON has no comments", fix="remove it, or write the file as YAML")
    for begin, message, fix in _WORDS:
        if error.msg.startswith(begin):
            return page.problem("syntax", place, message, fix=fix)
    return page.problem("syntax", place, f"this is not valid JSON: {error.msg}")
