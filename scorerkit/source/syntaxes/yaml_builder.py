"""From the parser's events to a value and its places: structure, aliases, duplicates and depth."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from scorerkit.model.problem import Place
from scorerkit.source.places import Spot
from scorerkit.source.syntaxes.parsed import DEEPEST, TOO_DEEP, VALUES
from scorerkit.source.syntaxes.yaml_blocks import BareBlock, block_mark, opens_template
from scorerkit.source.syntaxes.yaml_scalars import Broken, Scalars, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json
    from scorerkit.model.problem import Problem

COPIES = 20_000
"""Values that aliases may add to a file, all together."""


class Built(NamedTuple):
    """A value; ``size`` counts the values in it, itself included, and ``height`` its nested collections."""

    value: Json
    spot: Spot
    size: int
    height: int


class Builder:
    """Reads one document from PyYAML's events."""

    def __init__(self, events: Iterator[Any], scalars: Scalars) -> None:
        self._events = events
        self._scalars = scalars
        self._anchors: dict[str, Built | None] = {}
        self._copied = 0
        self._count = 0
        self._bare: BareBlock | None = None

    def document(self) -> tuple[Json, Spot]:
        """The only document of the text; its value is None if there is none."""
        next(self._events)
        if isinstance(next(self._events), yaml.StreamEndEvent):
            return None, Spot(Place(), (1, 1))
        built = self._build(next(self._events), 0)
        next(self._events)
        event = next(self._events)
        if isinstance(event, yaml.DocumentStartEvent):
            self._scalars.stop(
                span(event),
                "a second document begins here",
                why="a file holds one scorer",
                fix="remove the '---', or move what follows into a file of its own",
            )
        return built.value, built.spot

    def unindented(self) -> Problem | None:
        """Block text that is not indented, if that may be why the parser could not go on."""
        return self._bare.problem() if self._bare else None

    def _build(self, event: Any, depth: int, key: Place | None = None) -> Built:
        self._bare = None
        self._count += 1
        if self._count > VALUES:
            self._scalars.stop(span(event), f"the file holds more than {VALUES} values")
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        if event.anchor:
            self._anchors[event.anchor] = None
        self._scalars.check_tag(event)
        if isinstance(event, yaml.ScalarEvent):
            built = self._scalar(event, key)
        elif depth >= DEEPEST:
            self._scalars.stop(span(event), TOO_DEEP)
        elif isinstance(event, yaml.MappingStartEvent):
            built = self._mapping(event, depth + 1)
        else:
            built = self._sequence(event, depth + 1)
        if event.anchor:
            self._anchors[event.anchor] = built
        return built

    def _alias(self, event: Any, depth: int) -> Built:
        written = f"'*{event.anchor}'"
        if event.anchor not in self._anchors:
            fix = "put the value in quotes if it is text"
            self._scalars.stop(span(event), f"{written} refers to an anchor that does not stand above it", fix=fix)
        target = self._anchors[event.anchor]
        if target is None:
            self._scalars.stop(span(event), f"{written} stands inside the value that it refers to")
        self._copied += target.size
        if self._copied > COPIES:
            self._scalars.stop(span(event), f"aliases expand to more than {COPIES} values")
        if depth + target.height > DEEPEST:
            self._scalars.stop(span(event), TOO_DEEP)
        return target._replace(value=copy.deepcopy(target.value))

    def _scalar(self, event: Any, key: Place | None) -> Built:
        place, style = span(event), event.style or ""
        end = (place.end_line or 1, place.end_column or 1)
        if style in {"|", ">"}:
            page = self._scalars.page
            place = block_mark(page, place)
            if key and not event.value.strip():
                self._bare = BareBlock(page, key, place)
                if self._bare.certain:
                    raise Broken(self._bare.problem())
        return Built(self._scalars.value(event), Spot(place, end, style), 1, 0)

    def _sequence(self, start: Any, depth: int) -> Built:
        items: list[Json] = []
        children: dict[str | int, Spot] = {}
        size, height = 1, 1
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            built = self._build(event, depth)
            children[len(items)] = built.spot
            items.append(built.value)
            size, height = size + built.size, max(height, built.height + 1)
        return Built(items, _collection(start, event, {}, children), size, height)

    def _mapping(self, start: Any, depth: int) -> Built:
        value: dict[str, Json] = {}
        keys: dict[str, Place] = {}
        children: dict[str | int, Spot] = {}
        size, height = 1, 1
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, start, depth)
            place = span(event)
            built = self._build(next(self._events), depth, place)
            size, height = size + built.size, max(height, built.height + 1)
            if key is None:
                continue
            if key in keys:
                message = f"'{key}' is given twice"
                self._scalars.add("duplicate-key", place, message, fix="keep one of them", first=keys[key])
                continue
            value[key], keys[key], children[key] = built.value, place, built.spot
        return Built(value, _collection(start, event, keys, children), size, height)

    def _key(self, event: Any, mapping: Any, depth: int) -> str | None:
        if isinstance(event, yaml.ScalarEvent):
            key = self._scalars.key(event)
            if event.anchor:
                self._anchors[event.anchor] = Built(key, Spot(span(event), (1, 1)), 1, 0)
            return key
        if opens_template(event, mapping):
            place = span(event)
            self._scalars.stop(
                place._replace(column=place.column - 1),
                "a value that begins with '{{' must be in quotes",
                why="in YAML, '{' begins a mapping",
                fix="put the whole value in quotes, or write it as a block below '|'",
            )
        self._scalars.refuse_key(event)
        self._build(event, depth)
        return None


def _collection(start: Any, end: Any, keys: dict[str, Place], children: dict[str | int, Spot]) -> Spot:
    """A block is shown by its first key or dash, brackets by themselves if they close on their line."""
    place = span(start)
    after = (end.end_mark.line + 1, end.end_mark.column + 1)
    if start.flow_style:
        if after[0] == place.line:
            place = place._replace(end_line=after[0], end_column=after[1])
    elif keys:
        place = next(iter(keys.values()))
    else:
        place = Place(place.line, place.column, place.line, place.column + 1)
    return Spot(place, after, "", keys, children)
