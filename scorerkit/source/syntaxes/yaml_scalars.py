"""Scalars, keys and tags of YAML: typed by JSON's rules, and refused where their meaning is a guess."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn

import yaml

from scorerkit.model.problem import Place
from scorerkit.source.syntaxes.parsed import number_trouble, whole_number

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.problem import Problem
    from scorerkit.source.page import Page

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_LITERALS = {"true": True, "false": False, "null": None, "~": None, "": None}
_TAG = re.compile(r"!(<[^>\n]*>|[^\s,\[\]{}]*)")


class Broken(Exception):  # noqa: N818 - carries the problem, is never shown
    """The text cannot be read on from here."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class Scalars:
    """``problems`` are those found that do not stop the reading; ``restored`` maps stand-ins to characters."""

    def __init__(self, page: Page, restored: dict[int, str]) -> None:
        self.page = page
        self.problems: list[Problem] = []
        self._restored = restored

    def value(self, event: Any) -> Json:
        """Text, unless it is plain and a JSON literal, empty or ``~``."""
        text: str = event.value.translate(self._restored) if self._restored else event.value
        if event.style:
            return text
        if text in _LITERALS:
            return _LITERALS[text]
        number = _NUMBER.fullmatch(text)
        if not number:
            return text
        value = float(text) if number[2] or number[3] else whole_number(text)
        trouble = number_trouble(value)
        if trouble:
            self.add("wrong-type", span(event), trouble, fix="put it in quotes if it is text")
        return value

    def key(self, event: Any) -> str | None:
        """The text of a key; None if it is not text, or is YAML's merge key, which is noted."""
        self.check_tag(event)
        text: str = event.value.translate(self._restored) if self._restored else event.value
        if not event.style and (text in _LITERALS or _NUMBER.fullmatch(text)):
            what = f"the key {text} is not text" if text else "this entry has no key"
            fix = f"write '{text}' in quotes" if text else "write a key before the ':'"
            self.add("ambiguous-key", span(event), what, fix=fix)
            return None
        if text == "<<" and not event.style:
            fix = "write the keys out, or build on another scorer with 'extends'"
            self.add("merge-key", span(event), "the merge key '<<' is not read here", fix=fix)
            return None
        return text

    def refuse_key(self, event: Any) -> None:
        """Note a key that is no scalar at all."""
        kinds = {yaml.AliasEvent: "an alias", yaml.SequenceStartEvent: "a list"}
        what = kinds.get(type(event), "a mapping")
        self.add("ambiguous-key", span(event), f"{what} cannot be a key", fix="write the key as text")

    def check_tag(self, event: Any) -> None:
        if event.tag is None:
            return
        line, column = event.start_mark.line + 1, event.start_mark.column
        match = _TAG.search(self.page.line(line), column)
        written, column = (match[0], match.start()) if match else (event.tag, column)
        place = Place(line, column + 1, line, column + 1 + len(written))
        fix = "write the value without a tag; put it in quotes if it must be text"
        if written == "!function":
            fix = "write 'function: package.module.name'"
        self.add("syntax", place, f"the tag '{written}' is not known", why="a scorer file holds plain data", fix=fix)

    def add(self, code: str, place: Place, message: str, **more: Any) -> None:
        self.problems.append(self.page.problem(code, place, message, **more))

    def stop(self, place: Place, message: str, **more: Any) -> NoReturn:
        raise Broken(self.page.problem("syntax", place, message, **more))


def span(event: Any) -> Place:
    """From the first to after the last character of an event."""
    start, end = event.start_mark, event.end_mark
    return Place(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
