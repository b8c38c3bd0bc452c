"""Parquet by pyarrow, one batch of a row group at a time."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from typing import TYPE_CHECKING, Any

from scorerkit.dataset.strict_json import BAD_RECORD
from scorerkit.errors import DataError, MissingExtra, RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.dataset.feed import Feed, Row
    from scorerkit.model.json import Json

UNIT = "record"
TEXT = False

_EXTRA = "parquet"
_BATCH = 256


def rows(feed: Feed) -> Iterator[Row]:
    """As :class:`FormatModule` says. Dates become ISO text, decimals and NaN a number and null.

    Raises:
        DataError: the file is damaged or no Parquet.
        MissingExtra: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra(_EXTRA, f"reading '{feed.shown}'") from None
    number = 0
    try:
        table = parquet.ParquetFile(feed.stream)
        if feed.check is not None:
            feed.check([str(name) for name in table.schema_arrow.names])
        for batch in table.iter_batches(batch_size=_BATCH):
            for row in batch.to_pylist():
                number += 1
                yield _row(row), number
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0][:200]
        message = f"'{feed.shown}' cannot be read after {number} records: {reason}"
        raise DataError(message, code="unreadable-file") from None


def _row(row: dict[str, Any]) -> Json:
    try:
        return {name: _json(value, name) for name, value in row.items()}
    except RecordError as error:
        return error


def _json(value: Any, name: str) -> Json:
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return _number(value, name)
        case dict():
            return {str(key): _json(inner, name) for key, inner in value.items()}
        case list() if value and all(isinstance(item, tuple) and len(item) == 2 for item in value):
            return {str(key): _json(inner, name) for key, inner in value}  # pyarrow's form of a map
        case list():
            return [_json(item, name) for item in value]
        case dt.date() | dt.time():
            return value.isoformat()
        case decimal.Decimal():
            return _number(float(value), name)
        case _:
            message = f"'{name}' holds values of a kind that JSON lacks ({type(value).__name__})"
            raise RecordError(BAD_RECORD, message)


def _number(value: float, name: str) -> float | None:
    if math.isinf(value):
        message = f"'{name}' holds an infinite number"
        raise RecordError(BAD_RECORD, message)
    return None if math.isnan(value) else value
