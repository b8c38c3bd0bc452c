"""Who a record is: its own id, or the hash of its content, so that an inserted line renames nothing."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import orjson

from scorerkit.dataset.compact import Numbers
from scorerkit.errors import RecordError

if TYPE_CHECKING:
    from scorerkit.model.json import Json

DUPLICATE = "duplicate-run-id"

_PARTS = 8


def content_id(row: dict[str, Json]) -> str:
    """16 hexadecimal digits of the hash of a row, whatever the order of its keys."""
    if "runId" in row:
        row = {key: value for key, value in row.items() if key != "runId"}
    return blake2b(orjson.dumps(row, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


class Names(Protocol):
    """Gives records their ids, in the order of the data."""

    careful: bool
    """Whether ids that records bring along have to pass here too."""

    def final(self, own: str | None, row: dict[str, Json], line: int, /) -> str:
        """The id of the record in ``line``, which brings ``own`` along, if anything.

        Raises:
            RecordError: another record has its id already (``duplicate-run-id``).
        """
        ...


class Census:
    """The ids of all records of a file as 64-bit hashes: eight bytes a record."""

    def __init__(self) -> None:
        self._hashes = array("q")
        self.add = self._hashes.append
        self.repeated = array("q")
        """The hashes that occur more than once, in order; empty before :meth:`settle`."""

    def settle(self) -> None:
        """Put the hashes in order and find the repeated ones.

        In parts, because a list of numbers takes five times the memory of an array.
        """
        ordered = array("q")
        step = 2**64 // _PARTS
        for low in range(-(2**63), 2**63, step):
            part = sorted(number for number in self._hashes if low <= number < low + step)
            ordered.extend(part)
            for left, right in pairwise(part):
                if left == right and (not self.repeated or self.repeated[-1] != left):
                    self.repeated.append(left)
        self._hashes = ordered if self.repeated else array("q")

    def holds(self, text: str) -> bool:
        """Whether some record has that id; only to be asked where ``repeated`` is not empty."""
        return _in(self._hashes, hash(text))

    def repeats(self, text: str) -> bool:
        """Whether more than one record has that id."""
        return _in(self.repeated, hash(text))


class SurveyedNames:
    """Names for a file whose ids are known from a first pass.

    ``own`` are the ids among the repeated ones that records bring along.
    """

    def __init__(self, census: Census, own: frozenset[str]) -> None:
        self._census = census
        self._own = own
        self._kept: set[str] = set()
        self._given = Numbers()
        self.careful = bool(own)

    def final(self, own: str | None, row: dict[str, Json], _line: int, /) -> str:
        text = own or content_id(row)
        if not self._census.repeats(text):
            return text
        if own is not None and own not in self._kept:
            self._kept.add(own)
            return own
        number = self._given.get(text)
        if not number and text not in self._own:
            self._given.set(text, 1)
            return text
        number = max(number, 1) + 1
        while self._census.holds(f"{text}-{number}"):
            number += 1
        self._given.set(text, number)
        return f"{text}-{number}"


class StreamedNames:
    """Names for a stream, which is read once: every id that was seen is remembered with its line."""

    careful = True

    def __init__(self, suffix: bool) -> None:
        self._suffix = suffix
        self._lines = Numbers()
        self._given = Numbers()

    def final(self, own: str | None, row: dict[str, Json], line: int, /) -> str:
        text = own or content_id(row)
        first = self._lines.get(text)
        if not first:
            self._lines.set(text, line)
            return text
        if own is not None and not self._suffix:
            message = f"runId '{own}' of line {line} was already given on line {first}"
            raise RecordError(DUPLICATE, message, fix="give each record its own, or pass --duplicate-ids suffix")
        number = max(self._given.get(text), 1) + 1
        while self._lines.get(f"{text}-{number}"):
            number += 1
        self._given.set(text, number)
        self._lines.set(f"{text}-{number}", line)
        return f"{text}-{number}"


def _in(numbers: array[int], number: int) -> bool:
    index = bisect_left(numbers, number)
    return index < len(numbers) and numbers[index] == number
