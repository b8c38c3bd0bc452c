"""Lists of verdicts as numbers. A list that does not fit is a ValueError, so that no missing verdict counts as 0."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scorerkit.functions.arguments import as_filled_list, as_list, shown

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_MISSING = object()


def share(items: list[Json], key: str, values: Json) -> float:
    """How much of a list of mappings counts: the mean weight of what stands under ``key``.

    Args:
        items: mappings that all have ``key``.
        key: one key, not a path.
        values: a list of the values that count 1, all others counting 0; or a mapping of every value that may occur
            to its weight.

    Raises:
        ValueError: the list is empty, an item lacks the key, or a value is not in the mapping.
    """
    found = [_under("share", key, item, index) for index, item in enumerate(as_filled_list("share", items))]
    if isinstance(values, dict):
        return math.fsum([_weight(values, value, index) for index, value in enumerate(found)]) / len(found)
    if isinstance(values, (list, tuple)):
        return len([value for value in found if value in values]) / len(found)
    message = f"share needs a list of values or a mapping of values to weights, not {shown(values)}"
    raise ValueError(message)


def aligned(items: list[Json], other: list[Json]) -> list[Json]:
    """The list itself, if it is as long as the other one: a verdict for each claim, no more and no fewer.

    Raises:
        ValueError: the lengths differ, or one of the two is no list.
    """
    given, wanted = as_list("aligned", items), as_list("aligned", other)
    if len(given) != len(wanted):
        message = f"aligned: {len(given)} where {len(wanted)} are needed; both lists must be equally long"
        raise ValueError(message)
    return given


def matched(items: list[Json], key: str, values: list[Json]) -> list[Json]:
    """The items in the order of ``values``: each value must stand under ``key`` of exactly one item.

    Verdicts that name what they are about, such as an index or a text, are matched so, in whatever order they come.

    Raises:
        ValueError: a value has no item or several, or an item is about something else; all of them are named.
    """
    found: dict[str, list[Json]] = {}
    for index, item in enumerate(as_list("matched", items)):
        found.setdefault(_named(_under("matched", key, item, index)), []).append(item)
    wanted = [_named(value) for value in values]
    wrong = {
        "none is about": [name for name in wanted if name not in found],
        "several are about": [name for name, same in found.items() if name in wanted and len(same) > 1],
        "nobody asked about": [name for name in found if name not in wanted],
    }
    if any(wrong.values()):
        said = "; ".join(f"{what} {', '.join(names[:10])}" for what, names in wrong.items() if names)
        message = f"matched: of the items by '{key}', {said}"
        raise ValueError(message)
    return [found[name][0] for name in wanted]


def _named(value: Json) -> str:
    return shown(value.strip() if isinstance(value, str) else value)


def average_precision(relevant: list[Json]) -> float:
    """Mean over the relevant positions of the precision up to there; 0 if nothing is relevant.

    Takes true and false (or 1 and 0) in the order of a ranking: the usual average precision of information retrieval.

    Raises:
        ValueError: the list is empty, or something in it is neither true nor false.
    """
    hits: list[float] = []
    for position, value in enumerate(as_filled_list("average_precision", relevant), 1):
        if not isinstance(value, (bool, int, float)) or value not in (0, 1):
            message = f"average_precision needs true or false, not {shown(value)} at index {position - 1}"
            raise ValueError(message)
        if value:
            hits.append((len(hits) + 1) / position)
    return math.fsum(hits) / len(hits) if hits else 0.0


def _under(name: str, key: str, item: Json, index: int) -> Json:
    value = item.get(key, _MISSING) if isinstance(item, dict) else _MISSING
    if value is _MISSING:
        message = f"{name}: the item at index {index} has no '{key}'"
        raise ValueError(message)
    return value


def _weight(weights: dict[Json, float], value: Json, index: int) -> float:
    weight = None if isinstance(value, (list, dict)) else weights.get(value)
    if weight is None:
        known = ", ".join(shown(known).removeprefix("the text ") for known in list(weights)[:10])
        message = f"share: {shown(value)} at index {index} has no weight; those that have: {known}"
        raise ValueError(message)
    if not isinstance(weight, (int, float)) or not math.isfinite(weight):
        message = f"share: the weight of {shown(value)} is {shown(weight)}, not a number"
        raise ValueError(message)
    return weight
