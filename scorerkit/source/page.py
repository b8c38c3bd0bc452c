"""The text of one file under the name its author knows it by: the paper that problems are written on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from scorerkit.model.problem import Place, Problem, Related

LONGEST = 160
"""Characters of a source line that are shown; longer ones are cut around the place."""

_BEFORE = 80
_CUT = "…"


@dataclass(frozen=True)
class Page:
    """``shown`` is the path as the caller named it; ``text`` is decoded, and its only line end is a line feed."""

    shown: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def line(self, number: int) -> str:
        """The line of that number, counted from 1; empty beyond the text."""
        lines = self.lines
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def excerpt(self, *places: Place) -> tuple[tuple[int, str], ...]:
        """The lines on which ``places`` begin, in order, each once."""
        columns = {place.line: place.column for place in places}
        return tuple((number, _cut(self.line(number), columns[number])) for number in sorted(columns))

    def problem(
        self,
        code: str,
        place: Place,
        message: str,
        *,
        why: str | None = None,
        fix: str | None = None,
        first: Place | None = None,
        first_is: str = "first given here",
    ) -> Problem:
        """A problem at ``place`` with its source line; ``first`` is an earlier place that explains it."""
        related = (Related(self.shown, first.line, first_is),) if first else ()
        excerpt = self.excerpt(first, place) if first else self.excerpt(place)
        return Problem(code, self.shown, place, message, why, fix, related=related, excerpt=excerpt)

    def place_at(self, offset: int) -> Place:
        """The place of the character with that index in ``text``."""
        line_start = self.text.rfind("\n", 0, offset) + 1
        return Place(self.text.count("\n", 0, offset) + 1, offset - line_start + 1)


def shown_column(place: Place, shown_line: str) -> int:
    """The column, counted from 1, at which ``place`` stands in its line as :meth:`Page.excerpt` shows it."""
    cut = shown_line.startswith(_CUT) and place.column > LONGEST - _BEFORE // 2
    return _BEFORE + 1 if cut else place.column


def _cut(line: str, column: int) -> str:
    if len(line) <= LONGEST:
        return line
    if column <= LONGEST - _BEFORE // 2:
        return line[: LONGEST - 1] + _CUT
    start = column - 1 - _BEFORE
    end = start + LONGEST
    return _CUT + line[start + 1 : end] + (_CUT if end < len(line) else "")
