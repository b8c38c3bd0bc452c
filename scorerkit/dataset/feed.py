"""The bytes of one data set, and what its reader needs to know and to count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from scorerkit.errors import RecordError
from scorerkit.model.json import Json

if TYPE_CHECKING:
    from collections.abc import Callable

Row: TypeAlias = tuple[Json | RecordError, int]
"""A row's value, or why it has none, and its number: the line on which it begins, or which one it is, from 1."""


@dataclass(slots=True)
class Feed:
    """What a reader reads.

    Attributes:
        shown: the data set as the caller named it.
        json_columns: columns of a table whose cells are JSON.
        check: what a reader tells the names of a table's columns before its first row.
        replaced: lone surrogates that became U+FFFD so far.
    """

    stream: BinaryIO
    shown: str
    json_columns: frozenset[str] = frozenset()
    check: Callable[[list[str]], None] | None = None
    replaced: int = 0
