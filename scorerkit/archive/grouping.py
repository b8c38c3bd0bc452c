"""The numbers of an experiment by the values of one field of its results."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scorerkit.errors import ScorerkitError
from scorerkit.report.summary import Experiment, summarise
from scorerkit.report.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.json import Json
    from scorerkit.model.plan import Plan
    from scorerkit.model.result import ScorerResult

MOST = 1000
"""So many groups; a field with more values names records rather than kinds of them."""


class Groups:
    """One tally per value and scorer. ``path`` is dotted, and goes into mappings."""

    def __init__(self, plans: Sequence[Plan], path: str) -> None:
        self._plans = [replace(plan, gate=None) for plan in plans]  # a gate is of the whole
        self._path = path
        self._tallies: dict[str | None, list[Tally]] = {}

    def add(self, scorer: int, row: dict[str, Json], result: ScorerResult) -> None:
        """Count a result in the group of its value; results without one are a group too.

        Raises:
            ScorerkitError: there are too many groups.
        """
        value = value_at(row, self._path)
        key = None if value is ... else json.dumps(value, ensure_ascii=False, sort_keys=True)
        tallies = self._tallies.get(key)
        if tallies is None:
            if len(self._tallies) >= MOST:
                message = f"'{self._path}' has more than {MOST} values"
                raise ScorerkitError(message, code="out-of-range", fix="group by a field that has few values")
            tallies = self._tallies[key] = [Tally(plan, naming=False) for plan in self._plans]
        tallies[scorer].add(result)

    def summary(self, *, all_reached: bool) -> dict[str, Json]:
        """``by`` and ``groups``. To which group a record belongs that was not reached, nobody knows.

        Raises:
            ScorerkitError: no result has the field.
        """
        if self._tallies and set(self._tallies) == {None}:
            message = f"no result has '{self._path}'"
            fix = "name a key of the results, such as metadata.KEY, status or scorer.id"
            raise ScorerkitError(message, code="unknown-name", fix=fix)
        keys = sorted(self._tallies, key=_order)
        return {"by": self._path, "groups": [self._group(key, all_reached=all_reached) for key in keys]}

    def _group(self, key: str | None, *, all_reached: bool) -> dict[str, Json]:
        # A scorer without results in a group does not make the others look unreached.
        tallies = self._tallies[key]
        scorers = [summarise(Experiment("", (tally,), "", "", 0.0), "")["scorers"][0] for tally in tallies]
        for scorer in scorers:
            scorer["notReached"] = 0 if all_reached else None
        found: dict[str, Json] = {"absent": True} if key is None else {"value": json.loads(key)}
        return {**found, "scorers": scorers}


def value_at(row: Json, path: str) -> Json:
    """The value at a dotted path; keys that hold dots themselves are found too. ``...`` where there is none."""
    if isinstance(row, dict):
        if path in row:
            return row[path]
        parts = path.split(".")
        for length in range(len(parts) - 1, 0, -1):
            head = ".".join(parts[:length])
            if head in row and (found := value_at(row[head], ".".join(parts[length:]))) is not ...:
                return found
    return ...


def _order(key: str | None) -> tuple[Any, ...]:
    """Numbers by size, then all else by its text; absent last."""
    if key is None:
        return 2, 0, ""
    value = json.loads(key)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (0, value, "") if number else (1, 0, key)
