"""JSON: a list of records, or a mapping that has one under ``runs``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from scorerkit.dataset.strict_json import BAD_RECORD, deep, mended
from scorerkit.errors import DataError, RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.dataset.feed import Feed, Row
    from scorerkit.model.json import Json

UNIT = "record"
TEXT = True

_OF_TRACES = {"resourceSpans", "spans", "observations"}
_OF_SPANS = {"spanId", "span_id", "span_kind", "spanType", "parent_id", "parentSpanId", "spans"}


def rows(feed: Feed) -> Iterator[Row]:
    """As :class:`FormatModule` says. The document is held while its rows are taken.

    Raises:
        DataError: it is no JSON, holds no list of records, or holds traces.
    """
    raw = feed.stream.read().removeprefix(b"\xef\xbb\xbf")
    if raw.strip():
        records = records_of(_parsed(feed, raw), feed.shown)
        yield from zip((deep(record) or record for record in records), _counted(), strict=False)


def records_of(value: Json, shown: str) -> list[Json]:
    """The records of a whole document.

    Raises:
        DataError: there is no list of them.
    """
    if _is_trace(value):
        message = f"'{shown}' looks like a file of traces, and is read as one of records"
        fix = "name the format of the traces, such as --data-format otlp"
        raise DataError(message, code="unknown-format", fix=fix)
    records = value.get("runs") if isinstance(value, dict) else value
    if not isinstance(records, list):
        message = f"'{shown}' is neither a list of records nor a mapping with the key 'runs'"
        raise DataError(message, code=BAD_RECORD, fix="put the records into a list, or write one per line as .jsonl")
    return records


def _counted() -> Iterator[int]:
    number = 0
    while True:
        number += 1
        yield number


def _parsed(feed: Feed, raw: bytes) -> Json:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        pass
    try:
        value, replaced = mended(raw)
    except RecordError as error:
        message = f"'{feed.shown}' cannot be read: {error.message}"
        raise DataError(message, code=error.code, fix=error.fix) from None
    feed.replaced += replaced
    return value


def _is_trace(value: Json) -> bool:
    if isinstance(value, dict):
        return bool(_OF_TRACES & value.keys()) and "runs" not in value
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and "output" not in first and bool(_OF_SPANS & first.keys())
