"""Two mistakes that YAML reads as something else: block text that is not indented, and a template without quotes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from scorerkit.model.problem import Place
from scorerkit.source.syntaxes.yaml_scalars import span

if TYPE_CHECKING:
    from scorerkit.model.problem import Problem
    from scorerkit.source.page import Page


@dataclass(frozen=True, slots=True)
class BareBlock:
    """A block without text below its key; ``mark`` is the ``|`` or ``>`` that opens it."""

    page: Page
    key: Place
    mark: Place

    @property
    def certain(self) -> bool:
        """Whether the next line stands in the key's own column, as text does that should have been indented."""
        below = self._below()
        return below is not None and below.column == self.key.column

    def problem(self) -> Problem:
        line = self.page.line(self.key.line)
        key = line[self.key.column - 1 : (self.key.end_column or 1) - 1]
        return self.page.problem(
            "syntax",
            self._below() or self.mark,
            f"this line is not part of the text of '{key}'",
            why=f"the text of a block ends at the first line that is not indented deeper than '{key}'",
            fix=f"indent the text below '{key}'; if it has none, write {key}: \"\"",
        )

    def _below(self) -> Place | None:
        for number in range(self.mark.line + 1, len(self.page.lines) + 1):
            line = self.page.line(number)
            text = line.strip()
            if text and not text.startswith("#"):
                column = line.index(text[0]) + 1
                return Place(number, column, number, column + len(text))
        return None


def block_mark(page: Page, place: Place) -> Place:
    """The span of the ``|`` or ``>``, with its indicators, that a block scalar begins with."""
    written = page.line(place.line)[place.column - 1 :].split()
    return Place(place.line, place.column, place.line, place.column + len(written[0]))


def opens_template(key: Any, mapping: Any) -> bool:
    """Whether a mapping that stands as a key begins right after the bracket of the mapping around it."""
    if type(key) is not yaml.MappingStartEvent or not (key.flow_style and mapping.flow_style):
        return False
    inner, outer = span(key), span(mapping)
    return (inner.line, inner.column) == (outer.line, outer.column + 1)
