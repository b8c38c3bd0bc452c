"""What tomllib objects to, in words that say what to type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorerkit.model.problem import Place

if TYPE_CHECKING:
    from scorerkit.model.problem import Problem
    from scorerkit.source.page import Page
    from scorerkit.source.syntaxes.toml_places import Repeated

_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_TWICE = ("Cannot overwrite a value", "Cannot declare", "Duplicate inline table key", "Cannot mutate immutable")

_WORDS: tuple[tuple[str, str, str | None], ...] = (
    ("Expected '=' after a key", "this line has no '='", "write 'key = value'"),
    ("Unterminated string", "a text is not closed at the end of the file", "close it with the quotes that open it"),
    ("Illegal character '\\n'", "the quote is not closed on this line", 'close it, or write longer text between """'),
    ('Expected "\'"', "a quote ' is not closed", "close it; text with an apostrophe goes in double quotes"),
    ("Unclosed array", "a '[' is not closed", "close the list with ']', with ',' between its entries"),
    ("Unclosed inline table", "a '{' is not closed on its line", "close it with '}' on the same line"),
    (
        "Expected newline or end of document",
        "there is more text after the value",
        "put text in quotes",
    ),
    ("Unescaped '\\'", "'\\' begins an escape that does not exist", "use single quotes, or write '\\\\'"),
    ("Invalid hex value", "'\\' begins an escape that does not exist", "use single quotes, or write '\\\\'"),
    ("Invalid initial character for a key part", "a key is expected here", "put the value in quotes if it is text"),
    ("Expected ']' at the end of a table", "the '[' of this table is not closed", "close it with ']'"),
    ("Expected ']]' at the end of an array", "the '[[' of this table is not closed", "close it with ']]'"),
    (
        "Invalid statement",
        "a line cannot begin like this",
        "quote keys of other characters than A-Z a-z 0-9 _ -",
    ),
    ("Found invalid character", "a control character stands here", "remove it"),
    ("Illegal character", "a control character stands here", "remove it, or write it as an escape such as '\\u0007'"),
)


def explained(page: Page, said: str) -> list[Problem]:
    """Problems for an error of tomllib, whose words end with their position."""
    place = _position(page, said)
    if said.startswith(_TWICE):
        return _twice(page) or [page.problem("duplicate-key", place, "a key is given twice", fix="keep one of them")]
    if said.startswith("Invalid value"):
        return [_invalid_value(page, place)]
    line = page.line(place.line)
    if "Expected '=' after a key" in said and line[place.column - 1 : place.column] == ":":
        return [page.problem("syntax", place, "TOML has '=' between key and value, not ':'", fix="write '='")]
    if "Invalid initial character" in said and line[place.column - 2 : place.column] == "{{":
        place = Place(place.line, place.column - 1, place.line, place.column + 1)
        return [page.problem("syntax", place, "a template must be in quotes", fix="put the whole value in quotes")]
    for begin, message, fix in _WORDS:
        if begin in said:
            return [page.problem("syntax", place, message, fix=fix)]
    return [page.problem("syntax", place, f"this is not valid TOML: {_POSITION.sub('', said)}")]


def _position(page: Page, said: str) -> Place:
    match = _POSITION.search(said)
    if match and match[1]:
        return Place(int(match[1]), int(match[2]))
    return page.place_at(len(page.text.rstrip()))


def _twice(page: Page) -> list[Problem]:
    from scorerkit.source.syntaxes.toml_places import repeated_in

    return [_repeated(page, again) for again in repeated_in(page)]


def _repeated(page: Page, again: Repeated) -> Problem:
    message = f"'{again.name}' is given twice"
    return page.problem("duplicate-key", again.second, message, fix="keep one of them", first=again.first)


def _invalid_value(page: Page, place: Place) -> Problem:
    rest = page.line(place.line)[place.column - 1 :].split("#")[0].strip()
    if not rest:
        return page.problem("syntax", place, "there is no value after '='", fix='write one; empty text is ""')
    place = Place(place.line, place.column, place.line, place.column + len(rest))
    if rest.lower() in {"true", "false"}:
        return page.problem("syntax", place, f"'{rest}' is not a value", fix=f"write '{rest.lower()}'")
    if rest.lower() in {"null", "none", "~"}:
        return page.problem("syntax", place, "TOML has no null", fix="leave the key out")
    return page.problem("syntax", place, "this text is not in quotes", fix="put text in quotes")
