"""Ids that are given twice: found by their hashes, named by their lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorerkit.dataset.identity import DUPLICATE
from scorerkit.errors import DataError
from scorerkit.model.problem import Place, Problem, Related

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SHOWN = 20
"""Duplicates that are told one by one."""


class Duplicate(NamedTuple):
    run_id: str
    first: int
    second: int


class Repeated(NamedTuple):
    """Ids that records bring along and whose hash occurs more than once, and those that are given again."""

    own: frozenset[str]
    duplicates: list[Duplicate]
    again: int


def find(ids: Iterable[tuple[str, int]], repeats: Callable[[str], bool]) -> Repeated:
    """Look through ``ids``, with their lines, for those of which ``repeats`` is true."""
    first: dict[str, int] = {}
    duplicates: list[Duplicate] = []
    count = 0
    for run_id, number in ids:
        if not repeats(run_id):
            continue
        known = first.setdefault(run_id, number)
        if known != number:
            count += 1
            if len(duplicates) < SHOWN:
                duplicates.append(Duplicate(run_id, known, number))
    return Repeated(frozenset(first), duplicates, count)


def refused(repeated: Repeated, shown: str, unit: str) -> DataError:
    """The error that names each place of the first duplicates."""
    first = repeated.duplicates[0]
    more = f", and {repeated.again - 1} more are given again" if repeated.again > 1 else ""
    message = f"runId '{first.run_id}' is given twice in '{shown}': {unit}s {first.first} and {first.second}{more}"
    return DataError(
        message,
        code=DUPLICATE,
        why="results are told apart by runId",
        fix="give each record its own runId, or accept them with --duplicate-ids suffix",
        problems=[_problem(duplicate, shown, unit) for duplicate in repeated.duplicates],
    )


def _problem(duplicate: Duplicate, shown: str, unit: str) -> Problem:
    return Problem(
        DUPLICATE,
        shown,
        Place(duplicate.second),
        f"runId '{duplicate.run_id}' is given twice: {unit}s {duplicate.first} and {duplicate.second}",
        why="results are told apart by runId",
        fix="give each record its own runId, or accept them with --duplicate-ids suffix",
        related=(Related(shown, duplicate.first, "first given here"),),
    )
