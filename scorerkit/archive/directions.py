"""Which way is better for scorers of which only results are at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.library import find_id
from scorerkit.loader import check_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.settings import Settings


def directions_of(names: Iterable[str], settings: Settings) -> dict[str, str]:
    """``maximize`` or ``minimize`` by id, as the scorers of the project and the library say; others are not there."""
    found = {}
    for name in names:
        file = find_id(name, settings)
        definition = check_file(file, str(file), settings).definition if file is not None else None
        if definition is not None:
            found[name] = str(definition.get("direction") or "maximize")
    return found
