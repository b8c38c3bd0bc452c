"""Where keys and values of a JSON value stand in its file: one tree, whatever the syntax."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Place


@dataclass(slots=True)
class Spot:
    """One value.

    Attributes:
        place: the smallest span that stands for it: a scalar, a bracketed collection on one line, else its first
            key or its opening mark.
        end: line and column of the first character after the whole value.
        style: how it is written: ``|``, ``>``, quotes as they open it, or ``""``.
        keys: where the key of each entry stands; empty for lists.
        children: entries by key, items by index.
    """

    place: Place
    end: tuple[int, int]
    style: str = ""
    keys: dict[str, Place] = field(default_factory=dict)
    children: dict[str | int, Spot] = field(default_factory=dict)


Spots: TypeAlias = Callable[[], Spot]
"""Gives the tree of a file when a place is first asked for: many files never have a problem."""


def walk(root: Spot, path: Path) -> tuple[Spot, Place | None, bool]:
    """The deepest known spot on ``path``, the place that names it, and whether it is the whole path's.

    A spot is named by its key; a list item, having none, by its own place; the root by nothing.
    """
    spot, name = root, None
    for part in path:
        child = spot.children.get(part)
        if child is None:
            return spot, name, False
        name = spot.keys.get(part, child.place) if isinstance(part, str) else child.place
        spot = child
    return spot, name, True
