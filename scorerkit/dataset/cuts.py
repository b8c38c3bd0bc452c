"""Which records are scored: filter, limit, sample, shard, in this order."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING

from scorerkit.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorerkit.dataset.records import Record
    from scorerkit.model.json import Json


@dataclass(frozen=True, slots=True)
class Cuts:
    """What is left out.

    Attributes:
        where: called with the row and the run as JSON; a :class:`RecordError` fails the record, which stays.
        limit: how many of those come first.
        sample: how many of those, chosen by the hash of id and ``seed``.
        shard: ``(i, n)``, the i-th of n parts, from 1; a record stays in its part whatever else the data holds.
        check: refuses the columns of a table if ``where`` reads another one.
    """

    where: Callable[[dict[str, Json], dict[str, Json]], bool] | None = None
    limit: int | None = None
    sample: int | None = None
    seed: int = 0
    shard: tuple[int, int] | None = None
    check: Callable[[list[str]], None] | None = None

    @property
    def by_content(self) -> bool:
        """Whether records have to be looked at to know how many are left."""
        return self.where is not None or self.sample is not None or self.shard is not None

    def select(self, records: Iterable[Record], threshold: int | None) -> Iterator[Record]:
        """Those that are left; ``threshold`` is what :meth:`survey` found for the sample."""
        left = self._first(records)
        if threshold is not None:
            left = (record for record in left if self._sample_key(record) <= threshold)
        if self.shard is not None:
            placed = (record._replace(position=position) for position, record in enumerate(left))
            left = (record for record in placed if self._in_shard(record))
        yield from left

    def survey(self, records: Iterable[Record]) -> tuple[int | None, int]:
        """The threshold of the sample, if there is one, and how many records are left."""
        if self.sample is None:
            return None, sum(1 for _ in self.select(records, None))
        keys = ((self._sample_key(record), self._in_shard(record)) for record in self._first(records))
        smallest = heapq.nsmallest(self.sample, keys)
        return (smallest[-1][0] if smallest else None), sum(inside for _, inside in smallest)

    def _first(self, records: Iterable[Record]) -> Iterator[Record]:
        left = iter(records)
        if self.where is not None:
            left = self._filtered(left, self.where)
        return left if self.limit is None else islice(left, self.limit)

    def _filtered(
        self, records: Iterator[Record], where: Callable[[dict[str, Json], dict[str, Json]], bool]
    ) -> Iterator[Record]:
        for record in records:
            if record.run is None:
                yield record
                continue
            try:
                if where(record.raw, record.run.to_json()):
                    yield record
            except RecordError as error:
                error.at = error.at or record.at
                yield record._replace(error=error)

    def _sample_key(self, record: Record) -> int:
        return _hash(f"{self.seed}\n{_name(record)}")

    def _in_shard(self, record: Record) -> bool:
        if self.shard is None:
            return True
        part, parts = self.shard
        return _hash(_name(record)) % parts == part - 1


def _name(record: Record) -> str:
    """The id; a record without one is told apart by its place."""
    if record.run is not None and record.run.run_id is not None:
        return record.run.run_id
    return f"\n{list((record.at or {}).values())[-1:]}"


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
