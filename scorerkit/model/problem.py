"""What is wrong with a file, and where: values that the commands turn into words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


class Place(NamedTuple):
    """A span in a text file; lines and columns count from 1, the end column is the first one after the span."""

    line: int = 1
    column: int = 1
    end_line: int | None = None
    end_column: int | None = None


class Related(NamedTuple):
    """A second place that explains a problem, such as the first of two equal keys."""

    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake, at the smallest thing its author must touch.

    Attributes:
        code: a stable, lower-case word such as ``unknown-key``; each has a page (``scorerkit rule CODE``).
        path: the file as the caller named it.
        message: what is wrong, complete on its own.
        why: the rule, when ``message`` does not already say it.
        fix: what to type, or the allowed choices.
        excerpt: source lines to show, as (line number, text); filled where the file's text is at hand.
    """

    code: str
    path: str
    place: Place
    message: str
    why: str | None = None
    fix: str | None = None
    severity: Severity = "error"
    related: tuple[Related, ...] = ()
    excerpt: tuple[tuple[int, str], ...] = field(default=(), compare=False)

    @property
    def order(self) -> tuple[str, int, int, str]:
        """Reading order: file, line, column."""
        return self.path, self.place.line, self.place.column, self.code
