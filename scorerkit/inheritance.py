"""``extends``: what a definition takes over from its parent, and where each part then comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.model.json import Json, Path

OWN = ("id", "tests", "data", "extends", "without")
"""Keys that are never taken over."""

WAYS = ("prompt", "function", "expression", "file")
"""A mapping says by one of these how it is answered."""


class Merged(NamedTuple):
    """A merged mapping, and the paths whose whole value is the parent's."""

    value: dict[str, Json]
    inherited: tuple[Path, ...]


def merged(child: dict[str, Json], parent: dict[str, Json], path: Path = ()) -> Merged:
    """The child over the parent: mappings merge, lists and scalars replace."""
    value: dict[str, Json] = {}
    inherited: list[Path] = []
    for key, given in parent.items():
        here = (*path, key)
        if not path and key in OWN:
            continue
        if key not in child:
            value[key] = given
            inherited.append(here)
        elif isinstance(given, dict) and isinstance(child[key], dict) and not rivals(child[key], given):
            inner = merged(child[key], given, here)
            value[key] = inner.value
            inherited += inner.inherited
    return Merged({**value, **{key: item for key, item in child.items() if key not in value}}, tuple(inherited))


def rivals(child: dict[str, Json], parent: dict[str, Json]) -> bool:
    """Whether two mappings answer the same question in different ways: then the child's replaces the parent's."""
    ways = [{way for way in WAYS if way in mapping} for mapping in (child, parent)]
    return bool(ways[0] and ways[1] and ways[0] != ways[1]) or set(child) == {"file"} or set(parent) == {"file"}


def without(value: dict[str, Json], paths: Iterable[str]) -> tuple[dict[str, Json], list[int]]:
    """A copy lacking these dotted key paths, and the indexes of those that name nothing."""
    unknown = []
    for index, written in enumerate(paths):
        found = _removed(value, written.split("."))
        if found is None:
            unknown.append(index)
        else:
            value = found
    return value, unknown


def _removed(value: Json, keys: list[str]) -> dict[str, Json] | None:
    """A copy without one key; None where it is not there. A key may itself hold dots."""
    if not isinstance(value, dict):
        return None
    for length in range(len(keys), 0, -1):
        head = ".".join(keys[:length])
        if head not in value:
            continue
        if length == len(keys):
            return {key: item for key, item in value.items() if key != head}
        inner = _removed(value[head], keys[length:])
        if inner is not None:
            return {**value, head: inner}
    return None
