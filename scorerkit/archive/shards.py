"""Which parts of a whole there are: what ``--shard i/n`` left in the facts of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.json import Json
    from scorerkit.store.experiments import Kept

SHARD = "shard"


def whole_of(kept: Kept) -> tuple[Json, Json]:
    """The data that an experiment is a part of: equal where positions mean the same records."""
    selection = {key: value for key, value in kept.data["selection"].items() if key != SHARD}
    return kept.data["digest"], selection


def one_whole(parts: Sequence[Kept]) -> bool:
    """Whether all are parts of the same data; what cannot be read twice is never known to be the same."""
    first = whole_of(parts[0])
    return first[0] is not None and all(whole_of(kept) == first for kept in parts)


def missing(parts: Sequence[Kept]) -> list[str] | None:
    """The parts that are not there, as ``i/n``; None where it cannot be known."""
    shards = [kept.data["selection"].get(SHARD) for kept in parts]
    if None in shards:
        return [] if one_whole(parts) else None
    pairs = [tuple(map(int, str(shard).split("/"))) for shard in shards]
    wholes = {n for _, n in pairs}
    if len(wholes) > 1 or not one_whole(parts):
        return None
    n = wholes.pop()
    present = {i for i, _ in pairs}
    return [f"{i}/{n}" for i in range(1, n + 1) if i not in present]
