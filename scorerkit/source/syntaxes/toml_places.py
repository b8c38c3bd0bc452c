"""Places in TOML from tree-sitter's tree, which gives one even for a text with mistakes."""

from __future__ import annotations

import tomllib
from array import array
from itertools import accumulate, islice
from typing import TYPE_CHECKING, NamedTuple

import tree_sitter
import tree_sitter_toml

from scorerkit.model.problem import Place
from scorerkit.source.places import Spot
from scorerkit.source.syntaxes.parsed import DEEPEST, VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.source.page import Page

_KEYS = {"bare_key", "quoted_key", "dotted_key"}
_IMPLICIT = "implicit"


class Repeated(NamedTuple):
    """A key or table that is given again."""

    name: str
    first: Place
    second: Place


def spots_of(page: Page) -> Spot:
    """The place of every key and value; what cannot be read is left out."""
    return _Walk(page).root


def repeated_in(page: Page) -> list[Repeated]:
    """Keys and tables that are given twice, in reading order."""
    return _Walk(page).repeated


class _Walk:
    def __init__(self, page: Page) -> None:
        self._lines = [line.encode() for line in page.text.split("\n")]
        self.root = Spot(Place(), (len(self._lines), 1))
        self.repeated: list[Repeated] = []
        self._columns: dict[int, array[int] | None] = {}
        self._left = VALUES
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
        self._document(parser.parse(page.text.encode()).root_node)
        first = min(self.root.keys.values(), default=Place())
        self.root.place = first

    def _document(self, document: tree_sitter.Node) -> None:
        for node in document.named_children:
            if node.type == "pair":
                self._pair(node, self.root, 0)
            elif node.type in {"table", "table_array_element"}:
                self._table(node)

    def _table(self, node: tree_sitter.Node) -> None:
        header = next((child for child in node.named_children if child.type in _KEYS), None)
        names = list(self._key(header)) if header else []
        if not names:
            return
        table = self.root
        for name, place in names[:-1]:
            table = _last_item(self._entry(table, name, place, _IMPLICIT))
        name, place = names[-1]
        if node.type == "table":
            table = self._declared(table, name, place)
        else:
            items = self._entry(table, name, place, "array")
            table = Spot(place, (place.line, place.column))
            items.children[len(items.children)] = table
        for child in node.named_children:
            if child.type == "pair":
                self._pair(child, table, 0)

    def _declared(self, parent: Spot, name: str, place: Place) -> Spot:
        known = parent.children.get(name)
        if known is not None and known.style != _IMPLICIT:
            self.repeated.append(Repeated(name, parent.keys[name], place))
        table = self._entry(parent, name, place, "table")
        table.style = "table"
        return table

    def _entry(self, parent: Spot, name: str, place: Place, style: str) -> Spot:
        if name not in parent.children:
            parent.keys[name] = place
            parent.children[name] = Spot(place, (place.line, place.column), style)
        return parent.children[name]

    def _pair(self, node: tree_sitter.Node, table: Spot, depth: int) -> None:
        named = node.named_children
        if self._left <= 0 or len(named) < 2 or depth > DEEPEST or named[0].type not in _KEYS:
            return
        *parents, (name, place) = self._key(named[0])
        for parent, parent_place in parents:
            table = self._entry(table, parent, parent_place, "dotted")
        if name in table.children:
            self.repeated.append(Repeated(name, table.keys[name], place))
            return
        table.keys[name] = place
        table.children[name] = self._value(named[1], depth)

    def _value(self, node: tree_sitter.Node, depth: int) -> Spot:
        place = self._span(node)
        self._left -= 1
        spot = Spot(place, (place.end_line or 1, place.end_column or 1), "value")
        if node.type == "string":
            spot.style = node.children[0].type if node.children else '"'
        elif node.type == "inline_table":
            for child in node.named_children:
                if child.type == "pair":
                    self._pair(child, spot, depth + 1)
        elif node.type == "array" and depth < DEEPEST:
            items = (child for child in node.named_children if child.type != "comment")
            for index, item in enumerate(islice(items, max(self._left, 0))):
                spot.children[index] = self._value(item, depth + 1)
        if node.type in {"array", "inline_table"} and place.end_line != place.line:
            spot.place = Place(place.line, place.column, place.line, place.column + 1)
        return spot

    def _key(self, node: tree_sitter.Node) -> Iterator[tuple[str, Place]]:
        if node.type == "dotted_key":
            for child in node.named_children:
                yield from self._key(child)
        elif node.type in _KEYS:
            yield _key_text(node), self._span(node)

    def _span(self, node: tree_sitter.Node) -> Place:
        start, end = node.start_point, node.end_point
        return Place(start[0] + 1, self._column(*start), end[0] + 1, self._column(*end))

    def _column(self, row: int, column: int) -> int:
        """tree-sitter counts bytes, authors characters."""
        if row not in self._columns:
            line = self._lines[row]
            starts = accumulate((byte & 0xC0 != 0x80 for byte in line), initial=0)
            self._columns[row] = None if line.isascii() else array("L", starts)
        counted = self._columns[row]
        return (column if counted is None else counted[min(column, len(counted) - 1)]) + 1


def _key_text(node: tree_sitter.Node) -> str:
    raw = (node.text or b"").decode()
    if node.type == "bare_key":
        return raw
    try:
        return next(iter(tomllib.loads(f"{raw} = 0")))
    except tomllib.TOMLDecodeError:
        return raw


def _last_item(spot: Spot) -> Spot:
    """Below a header, the name of a list of tables means its latest one."""
    if spot.style == "array" and spot.children:
        return spot.children[len(spot.children) - 1]
    return spot
