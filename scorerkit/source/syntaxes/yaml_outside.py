"""Text that stands outside the block it was written for: YAML reads it as keys, and objects to something in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.model.problem import Place
from scorerkit.source.syntaxes.format_keys import is_key

if TYPE_CHECKING:
    from scorerkit.model.problem import Problem
    from scorerkit.source.page import Page

_HEADER = re.compile(r"(?P<before> *(?:- +)*)(?P<key>[\w.-]+): +[|>][-+1-9]{0,2} *(?:#.*)?")
_KEY = re.compile(r"(?P<key>[\w.-]+):(?: |$)")


class _Outside(NamedTuple):
    """The first line that left the block, how far it is indented, and the key of the block with its column."""

    line: int
    indentation: int
    key: str
    column: int
    empty: bool


def outside_block(page: Page, problem: Problem) -> Problem:
    """The same problem in other words, where its line looks like text of the block above it; else as it is."""
    last = problem.place.line
    found = _outside(page, last) if problem.code == "syntax" else None
    if found is None or not _is_text(page, found, last):
        return problem
    text = page.line(found.line)
    place = Place(found.line, found.indentation + 1, found.line, len(text.rstrip()) + 1)
    fix = f"indent it deeper than '{found.key}', as all of its text"
    if found.empty:
        fix = f"indent the text below '{found.key}'; if it has none, write {found.key}: \"\""
    return page.problem(
        "syntax", place, f"this line is not part of the text of '{found.key}'",
        why=f"the text of a block ends at the first line that is not indented deeper than '{found.key}'", fix=fix,
    )  # fmt: skip


def _outside(page: Page, last: int) -> _Outside | None:
    """Lines of one indentation down to ``last``, and a block right above them whose key is indented at least so."""
    indentation = _indentation(page.line(last))
    first, least = last, None
    for number in range(last - 1, 0, -1):
        line = page.line(number)
        if not line.strip():
            continue
        own = _indentation(line)
        header = _HEADER.fullmatch(line.rstrip())
        if own < indentation:
            return None
        if header and (least is None or least > len(header["before"])):
            column = len(header["before"])
            return _Outside(first, indentation, header["key"], column, least is None) if column >= indentation else None
        if own > indentation:
            least = own if least is None else min(least, own)
        elif least is None:
            first = number
        else:
            return None
    return None


def _is_text(page: Page, found: _Outside, last: int) -> bool:
    lines = [page.line(number).strip() for number in range(found.line, last + 1)]
    key = _KEY.match(lines[0])
    if key is None:
        return not lines[0].startswith("- ")
    if is_key(key["key"]):
        return False
    templated = any("{{" in line or "{%" in line for line in lines)
    return found.empty or (templated and found.indentation == found.column)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
