"""YAML: small sets written by hand, under the rules and limits of scorer files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.dataset.formats.json_document import records_of
from scorerkit.dataset.opening import check_encoding
from scorerkit.errors import DataError
from scorerkit.source.page import Page
from scorerkit.source.reading import LARGEST
from scorerkit.source.syntaxes.yaml_text import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.dataset.feed import Feed, Row

UNIT = "line"
TEXT = True


def rows(feed: Feed) -> Iterator[Row]:
    """As :class:`FormatModule` says; numbers are the lines on which records begin.

    Raises:
        DataError: it is no YAML, holds no list of records, or is larger than 1 MiB.
    """
    raw = feed.stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        fix = "write one record per line as .jsonl"
        message = f"'{feed.shown}' is larger than 1 MiB, too large for YAML"
        raise DataError(message, code="unreadable-file", fix=fix)
    check_encoding(raw, feed.shown)
    parsed = parse(Page(feed.shown, raw.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")))
    if isinstance(parsed, list):
        message = f"'{feed.shown}' cannot be read: {parsed[0].message}"
        raise DataError(message, problems=parsed, code=parsed[0].code)
    if parsed.value is None:
        return
    spot = parsed.spots()
    spot = spot.children["runs"] if isinstance(parsed.value, dict) and "runs" in parsed.value else spot
    for index, value in enumerate(records_of(parsed.value, feed.shown)):
        yield value, spot.children[index].place.line
