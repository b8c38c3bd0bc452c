from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import orjson

from scorerkit.results.sinks.flat import COLUMNS, LOOKED_AT, MORE, fit, flatten, further_columns, json_text
from scorerkit.results.sinks.partial import PartialFile

if TYPE_CHECKING:
    from pathlib import Path

    from scorerkit.model.json import Json

FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUL = "\u2400"


class CsvFile:
    """Comma-separated values as they come; the columns are those of the first hundred results."""

    def __init__(self, path: Path) -> None:
        self._file = PartialFile(path)
        self._first: list[dict[str, Json]] | None = []
        self._columns: list[str] = []

    def write(self, line: bytes) -> None:
        """Take one result."""
        row = flatten(orjson.loads(line))
        if self._first is None:
            self._row(row)
            return
        self._first.append(row)
        if len(self._first) == LOOKED_AT:
            self._begin()

    def _begin(self) -> None:
        """Now the columns are known."""
        rows, self._first = self._first or [], None
        self._columns = [*COLUMNS, *further_columns(rows), MORE]
        self._file.write(_line(self._columns))
        for row in rows:
            self._row(row)

    def _row(self, row: dict[str, Json]) -> None:
        self._file.write(_line([cell(value) for value in fit(row, self._columns).values()]))

    def finish(self) -> None:
        """Write what waits, and give the file its name."""
        if self._first is not None:
            self._begin()
        self._file.finish()

    def abort(self) -> None:
        """Keep what there is under the partial name."""
        if self._first:
            self._begin()
        self._file.abort()


def cell(value: Json) -> str:
    """Text of a cell: null is empty, structures are JSON, text that a spreadsheet would run is defused."""
    if value is None:
        return ""
    if isinstance(value, str):
        text = value.replace("\0", NUL)
        return f"'{text}" if text.startswith(FORMULA) else text
    return json_text(value)


def _line(cells: list[str]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerow(cells)
    return written.getvalue().encode()
