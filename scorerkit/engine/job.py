"""What is scored at a time, and what comes of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import orjson

from scorerkit.model.result import ScorerResult

if TYPE_CHECKING:
    from scorerkit.dataset import Record


class Scored(NamedTuple):
    """A result, and the line that is kept of it."""

    result: ScorerResult
    line: bytes

    @classmethod
    def read(cls, line: bytes) -> Scored:
        """From the line alone."""
        try:
            return cls(ScorerResult.from_dict(orjson.loads(line)), line)
        except orjson.JSONDecodeError:  # whole numbers beyond 64 bits
            return cls(ScorerResult.from_dict(json.loads(line)), line)


Results = list[Scored | None]
"""By scorer; None where one was not reached."""


class Job(NamedTuple):
    """One record.

    Attributes:
        place: in which place its results leave.
        position: its place in the whole data, from 0, whatever part of it is scored here.
        kept: results of an earlier execution, by scorer; only what is None is scored. None means nothing is kept.
    """

    place: int
    position: int
    record: Record
    kept: Results | None = None
