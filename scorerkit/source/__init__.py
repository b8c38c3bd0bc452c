"""Definition files as values in which every key and value has a place."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, cast

from scorerkit.model.problem import Place, Problem
from scorerkit.source.document import Document, Syntax
from scorerkit.source.page import Page
from scorerkit.source.reading import read_page
from scorerkit.source.syntaxes import SYNTAX_OF_SUFFIX, syntax_module
from scorerkit.source.words import kind_of

if TYPE_CHECKING:
    from scorerkit.model.json import Path

__all__ = ["Document", "parse_document", "read_document", "read_text"]


def read_document(
    file: pathlib.Path, shown: str, *, what: str = "the scorer file", base: Path = ()
) -> Document | list[Problem]:
    """Read a definition, its syntax chosen by its suffix. Problems name it ``shown``, and call it ``what``.

    With ``base``, only the mapping at that path is the value; it is empty where the file lacks it.
    """
    syntax = SYNTAX_OF_SUFFIX.get(file.suffix.lower())
    page = read_page(file, shown)
    if isinstance(page, Problem):
        return [page]
    if syntax is None:
        suffix = f"'{file.suffix}'" if file.suffix else "no suffix"
        fix = f"use one of {', '.join(repr(known) for known in SYNTAX_OF_SUFFIX)}"
        return [page.problem("unknown-format", Place(), f"{suffix} says nothing about the format of {what}", fix=fix)]
    return _document(page, cast("Syntax", syntax), file, what, base)


def read_text(file: pathlib.Path, shown: str) -> Document | list[Problem]:
    """Read a file that is one text, such as a prompt."""
    page = read_page(file, shown)
    if isinstance(page, Problem):
        return [page]
    return Document(shown, file.resolve(), page.text, "text", page.text)


def parse_document(
    text: str, shown: str, syntax: Syntax, *, what: str = "the scorer file", file: pathlib.Path | None = None
) -> Document | list[Problem]:
    """As :func:`read_document`, for a text that is at hand; ``file`` is where it would stand."""
    page = Page(shown, text.removeprefix("\ufeff").replace("\r\n", "\n"))
    return _document(page, syntax, file or pathlib.Path(shown), what, ())


def _document(page: Page, syntax: Syntax, file: pathlib.Path, what: str, base: Path) -> Document | list[Problem]:
    if syntax == "text":
        return Document(page.shown, file.resolve(), page.text, "text", page.text)
    parsed = syntax_module(syntax).parse(page, base)
    if isinstance(parsed, list):
        return parsed
    value = parsed.value
    if value is None and not base:
        return [page.problem("empty-file", Place(), f"{what} is empty")]
    for key in base:
        value = value.get(key) if isinstance(value, dict) else None
    document = Document(
        page.shown, file.resolve(), page.text, syntax, {} if value is None else value, base, parsed.spots
    )
    if isinstance(document.value, dict):
        return document
    name = ".".join(map(str, base)) or what
    must = kind_of({}, syntax)
    return [
        page.problem("wrong-type", document.value_place(()), f"{name} must be {must}, not {kind_of(value, syntax)}")
    ]
