"""Who a record is: its own id, or the hash of its content, so that an inserted line renames nothing."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import orjson

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

    def final(self, own: str | None, row: dict[str, Json], number: int, /) -> str:
        """The id of the record in line ``number``.

        Raises:
            RecordError: another record has its id already (``duplicate-run-id``).
        """
        ...


class Census:
    """The ids of all records of a file as 64-bit hashes: eight bytes a record."""

    def __init__(self) -> None:
        self._hashes = array("q")
        self.add = self._hashes.append

    def settle(self) -> set[int]:
        """Put the hashes in order; returns those that occur more than once.

        In parts, because a list of numbers takes five times the memory of an array.
        """
        found: set[int] = set()
        ordered = array("q")
        step = 2**64 // _PARTS
        for low in range(-(2**63), 2**63, step):
            part = sorted(number for number in self._hashes if low <= number < low + step)
            found.update(left for left, right in pairwise(part) if left == right)
            ordered.extend(part)
        self._hashes = ordered if found else array("q")
        return found

    def __contains__(self, text: str) -> bool:
        """Whether a record may have that id. Only sure to be answered if some hash occurs more than once."""
        number = hash(text)
        index = bisect_left(self._hashes, number)
        return index < len(self._hashes) and self._hashes[index] == number


class SurveyedNames:
    """Names for a file whose ids are known from a first pass.

    ``repeated`` are the hashes that occur more than once, ``own`` the ids among them that records bring along.
    """

    def __init__(self, census: Census, repeated: set[int], own: frozenset[str]) -> None:
        self._census = census
        self._repeated = repeated
        self._own = own
        self._held: set[str] = set()
        self._numbers: dict[str, int] = {}
        self.careful = bool(own)

    def final(self, own: str | None, row: dict[str, Json], _line: int, /) -> str:
        text = own or content_id(row)
        if hash(text) not in self._repeated:
            return text
        if text not in self._held and (own is not None or text not in self._own):
            self._held.add(text)
            return text
        number = self._numbers.get(text, 1) + 1
        while f"{text}-{number}" in self._census:
            number += 1
        self._numbers[text] = number
        return f"{text}-{number}"


class StreamedNames:
    """Names for a stream, which is read once: every id that was seen is remembered with its line."""

    careful = True

    def __init__(self, suffix: bool) -> None:
        self._suffix = suffix
        self._lines = _Lines()
        self._numbers: dict[str, int] = {}

    def final(self, own: str | None, row: dict[str, Json], number: int, /) -> str:
        text = own or content_id(row)
        first = self._lines.first(text, number)
        if first == number:
            return text
        if own is not None and not self._suffix:
            message = f"runId '{own}' of line {number} was already given on line {first}"
            raise RecordError(DUPLICATE, message, fix="give each record its own, or pass --duplicate-ids suffix")
        last = self._numbers.get(text, 1) + 1
        while self._lines.first(f"{text}-{last}", number) != number:
            last += 1
        self._numbers[text] = last
        return f"{text}-{last}"


class _Lines:
    """Text → the number it came with first. An open hash table: 16 bytes a place, where a dict takes 100 and more."""

    def __init__(self) -> None:
        self._size = 1024
        self._count = 0
        self._hashes = array("Q", bytes(8 * self._size))
        self._numbers = array("Q", bytes(8 * self._size))

    def first(self, text: str, number: int) -> int:
        """The number that ``text`` came with first, which is ``number`` if that is now."""
        if self._count * 3 > self._size * 2:
            self._grow()
        wanted = hash(text) & 0xFFFF_FFFF_FFFF_FFFF or 1
        place = self._place(wanted)
        if self._hashes[place] == wanted:
            return self._numbers[place]
        self._hashes[place], self._numbers[place] = wanted, number
        self._count += 1
        return number

    def _place(self, wanted: int) -> int:
        """Where that hash stands, or the free place where it would."""
        hashes, mask = self._hashes, self._size - 1
        place = wanted & mask
        while hashes[place] and hashes[place] != wanted:
            place = (place + 1) & mask
        return place

    def _grow(self) -> None:
        hashes, numbers = self._hashes, self._numbers
        self._size *= 2
        self._hashes = array("Q", bytes(8 * self._size))
        self._numbers = array("Q", bytes(8 * self._size))
        for wanted, number in zip(hashes, numbers, strict=True):
            if wanted:
                place = self._place(wanted)
                self._hashes[place], self._numbers[place] = wanted, number
