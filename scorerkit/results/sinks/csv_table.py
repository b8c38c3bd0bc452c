"""CSV: a table that a spreadsheet can open without running what a model wrote."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import orjson

from scorerkit.results.flat import LOOKED_AT, Columns
from scorerkit.results.partial import PartialFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.model.json import Json
    from scorerkit.results.sinks import Sink

_RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n")
_QUOTED = re.compile('[,"\r\n]')


def open_target(target: str) -> Sink:
    """As :func:`open_sink` says."""
    return CsvTable(target)


class CsvTable:
    """Holds the first results back until it knows the columns, then writes rows as they come."""

    def __init__(self, target: str) -> None:
        self._file = PartialFile(target)
        self._first: list[dict[str, Json]] = []
        self._columns: Columns | None = None

    def write(self, line: bytes) -> None:
        result = orjson.loads(line)
        if self._columns is not None:
            self._file.write(csv_line(self._columns.cells(result)))
            return
        self._first.append(result)
        if len(self._first) >= LOOKED_AT:
            self._begin()

    def finish(self) -> None:
        if self._columns is None:
            self._begin()
        self._file.finish()

    def abort(self) -> None:
        if self._columns is None and self._first:
            with contextlib.suppress(Exception):  # the experiment has failed already, and says why
                self._begin()
        self._file.abort()

    def _begin(self) -> None:
        columns = self._columns = Columns.of(self._first)
        self._file.write(csv_line(columns.names))
        for result in self._first:
            self._file.write(csv_line(columns.cells(result)))
        self._first.clear()


def csv_line(cells: Iterable[Json]) -> bytes:
    """One row. Text that a spreadsheet would run gets an apostrophe; NUL becomes its picture, U+2400.

    Not by the ``csv`` module, which until Python 3.13 leaves a carriage return without quotes.
    """
    return (",".join(["" if cell is None else _written(cell) for cell in cells]) + "\n").encode()


def _written(value: Json) -> str:
    if type(value) is not str:
        text = orjson.dumps(value).decode()
    else:
        text = value.replace("\0", "\u2400")
        if text.startswith(_RUN_BY_SPREADSHEETS):
            text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
