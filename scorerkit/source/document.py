from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

from scorerkit.model.problem import Place
from scorerkit.source.page import Page
from scorerkit.source.places import Spot, Spots, walk

if TYPE_CHECKING:
    import pathlib

    from scorerkit.model.json import Json, Path

Syntax = Literal["yaml", "toml", "json", "text"]


def _no_spots() -> Spot:
    return Spot(Place(), (1, 1))


def _itself(spot: Spot) -> Spot:
    return spot


@dataclass(frozen=True)
class Document:
    """A file that was read: its value, and the place of every key and value in it.

    Attributes:
        path: the file as the caller named it: shown in problems.
        file: its absolute path, links resolved.
        text: decoded, without byte order mark, a line feed as its only line end.
        base: where ``value`` stands inside the file, such as ``("tool", "scorerkit")``; paths begin below it.
    """

    path: str
    file: pathlib.Path
    text: str
    syntax: Syntax
    value: Json
    base: Path = ()
    spots: Spots = field(default=_no_spots, repr=False, compare=False)

    def __reduce__(self) -> tuple[object, ...]:
        """For another process: with its places found, because what finds them cannot go there."""
        spots = partial(_itself, self.spots())
        return Document, (self.path, self.file, self.text, self.syntax, self.value, self.base, spots)

    @cached_property
    def page(self) -> Page:
        """The text as something that problems can be written on."""
        return Page(self.path, self.text)

    def key_place(self, path: Path) -> Place:
        """The key of ``path``, or that of its nearest known ancestor; the file's beginning if there is none."""
        _, name, _ = walk(self.spots(), self.base + path)
        return name or self._beginning()

    def value_place(self, path: Path) -> Place:
        """The value at ``path``; where there is none, :meth:`key_place`."""
        spot, _, known = walk(self.spots(), self.base + path)
        return spot.place if known else self.key_place(path)

    def place_in_text(self, path: Path, line: int, token: str | None) -> Place:
        """A place inside the text value at ``path``: on its ``line`` (from 1), at ``token`` where that is found.

        Lines of literal text are lines of the file. Those of folded and quoted text are not: there a token that
        stands once in the value is found, and all else is the beginning of the value.
        """
        if self.syntax == "text":
            return self._in_line(line, token)
        spot, _, known = walk(self.spots(), self.base + path)
        if not known:
            return self.key_place(path)
        first = _first_line(spot, self.page)
        if first is not None and first + line - 1 <= spot.end[0]:
            found = self._in_line(first + line - 1, token)
            if spot.style == "|" or token is None or found.end_column is not None:
                return found
        return self._once_inside(spot, token) or spot.place

    def excerpt(self, place: Place) -> tuple[tuple[int, str], ...]:
        """The line on which ``place`` begins, with its number; a very long one is cut around the place."""
        return self.page.excerpt(place)

    def _beginning(self) -> Place:
        first = self.spots().place
        return first if (first.line, first.column) == (1, 1) else Place()

    def _in_line(self, number: int, token: str | None) -> Place:
        text = self.page.line(number)
        match = _whole(token).search(text) if token else None
        if match:
            return Place(number, match.start() + 1, number, match.end() + 1)
        return Place(number, len(text) - len(text.lstrip()) + 1 if text.strip() else 1)

    def _once_inside(self, spot: Spot, token: str | None) -> Place | None:
        if not token:
            return None
        found = [
            Place(number, column + 1, number, column + 1 + len(token))
            for number, column in self._occurrences(spot, _whole(token))
        ]
        return found[0] if len(found) == 1 else None

    def _occurrences(self, spot: Spot, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
        lines = self.page.lines
        found = []
        for number in range(spot.place.line, min(spot.end[0], len(lines)) + 1):
            start = spot.place.column - 1 if number == spot.place.line else 0
            end = spot.end[1] - 1 if number == spot.end[0] else len(lines[number - 1])
            found += [(number, match.start()) for match in pattern.finditer(lines[number - 1], start, end)]
        return found


def _whole(token: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(token)}(?!\w)")


def _first_line(spot: Spot, page: Page) -> int | None:
    """The file line that holds line 1 of a text whose lines are lines of the file; None for other texts."""
    if spot.style == "|":
        return spot.place.line + 1
    if spot.style in {'"""', "'''"}:
        opened = page.line(spot.place.line)[spot.place.column + 2 :]
        return spot.place.line if opened else spot.place.line + 1
    return None
