"""CSV: a header, then text; cells that must be JSON are read as such."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import TYPE_CHECKING, Any

import orjson

from scorerkit.dataset.strict_json import BAD_RECORD, deep, mended
from scorerkit.errors import DataError, RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorerkit.dataset.feed import Feed, Row
    from scorerkit.model.json import Json

UNIT = "line"
TEXT = True

WIDEST = 128 * 1024 * 1024
"""Characters of one cell."""

_STRUCTURED = {"metadata", "expectedTrajectory", "requestContext"}


def rows(feed: Feed) -> Iterator[Row]:
    """As :class:`FormatModule` says; numbers are the lines on which rows begin."""
    return separated(feed, ",")


def separated(feed: Feed, delimiter: str) -> Iterator[Row]:
    """The rows of a table whose cells are separated by ``delimiter``.

    Raises:
        DataError: it has no header, or one with a name given twice.
    """
    csv.field_size_limit(WIDEST)  # the module has one limit for the process; its default refuses long outputs
    lines = io.TextIOWrapper(feed.stream, encoding="utf-8-sig", errors="surrogateescape", newline="\n")
    try:
        yield from _rows(csv.reader(lines, delimiter=delimiter, strict=True), feed)
    finally:
        lines.detach()  # or the wrapper would close a stream that is not its own


def _rows(reader: Any, feed: Feed) -> Iterator[Row]:
    columns = _header(reader, feed.shown)
    if columns and feed.check is not None:
        feed.check(columns)
    special = _special_cells(columns, feed)
    while columns:
        number = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield RecordError(BAD_RECORD, f"this row cannot be read: {error}"), number
            continue
        if cells:
            yield _row(cells, columns, special), number


def _header(reader: Iterator[list[str]], shown: str) -> list[str]:
    try:
        header = next(reader, [])
        while header == [] and (row := next(reader, None)) is not None:
            header = row
        "".join(header).encode()
    except (csv.Error, UnicodeEncodeError):
        message = f"the header of '{shown}' cannot be read"
        raise DataError(message, code=BAD_RECORD) from None
    if header and not any(name.strip() for name in header):
        message = f"the header of '{shown}' has no names"
        raise DataError(message, code=BAD_RECORD, fix="name the columns in line 1")
    columns = [name or f"column {number}" for number, name in enumerate(header, 1)]
    twice = [name for name, times in Counter(columns).items() if times > 1]
    if twice:
        message = f"the header of '{shown}' names '{twice[0]}' twice"
        raise DataError(message, code=BAD_RECORD, fix="give each column its own name")
    return columns


def _special_cells(columns: list[str], feed: Feed) -> list[tuple[str, Callable[[str], Json]]]:
    """What to do with cells that are not just text; absent ones become ``...`` and are left out."""

    def structured(cell: str) -> Json:
        return from_json(cell, feed) if cell[:1] in {"{", "["} or not cell.strip() else cell

    special: dict[str, Callable[[str], Json]] = {name: structured for name in columns if name in _STRUCTURED}
    special |= {"runId": lambda cell: cell or ...} if "runId" in columns else {}
    special |= {name: lambda cell: from_json(cell, feed) for name in columns if name in feed.json_columns}
    return list(special.items())


def from_json(cell: str, feed: Feed) -> Json:
    """The value of a cell that holds JSON; ``...`` if it is empty.

    Raises:
        RecordError: it holds something else.
    """
    if not cell.strip():
        return ...
    try:
        value = orjson.loads(cell)
    except orjson.JSONDecodeError:
        value, replaced = mended(cell.encode())
        feed.replaced += replaced
    if too_deep := deep(value):
        raise too_deep
    return value


def _row(cells: list[str], columns: list[str], special: list[tuple[str, Callable[[str], Json]]]) -> Json:
    if len(cells) != len(columns):
        return RecordError(BAD_RECORD, f"this row has {len(cells)} cells, the header {len(columns)}")
    try:
        "".join(cells).encode()
    except UnicodeEncodeError as error:
        byte = ord(error.object[error.start]) & 0xFF
        return RecordError(BAD_RECORD, f"byte 0x{byte:02x} is not UTF-8", fix="save the data as UTF-8")
    row: dict[str, Json] = dict(zip(columns, cells, strict=True))
    for name, read in special:
        try:
            value = read(row[name])
        except RecordError as error:
            return RecordError(error.code, f"'{name}' must hold JSON: {error.message}", fix=error.fix)
        if value is ...:
            del row[name]
        else:
            row[name] = value
    return row
