"""JSONL: one value a line, and only a line feed ends one."""

from __future__ import annotations

import codecs
from functools import partial
from typing import TYPE_CHECKING

import orjson

from scorerkit.dataset.opening import UTF16, check_encoding
from scorerkit.dataset.strict_json import BAD_RECORD, deep, mended
from scorerkit.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.dataset.feed import Feed, Row

UNIT = "line"
TEXT = True

LONGEST = 64 * 1024 * 1024
"""Bytes of one line: what a packed file of few bytes, or a device, may give; reading one takes three times that."""

DEEPEST = 200
"""Brackets of a line that are surely not nested too deeply."""


def rows(feed: Feed) -> Iterator[Row]:
    """As :class:`FormatModule` says. Blank lines are no rows, but count."""
    loads = orjson.loads
    for number, line in enumerate(_lines(feed), 1):
        try:
            value = loads(line)
        except orjson.JSONDecodeError:
            if line.isspace():
                continue
            value = _read(feed, line)
        if len(line) > DEEPEST and line.count(b"[") + line.count(b"{") > DEEPEST:
            value = deep(value) or value
        yield value, number


def _lines(feed: Feed) -> Iterator[bytes]:
    lines = iter(partial(feed.stream.readline, LONGEST), b"")
    first = next(lines, b"")
    if first.startswith(UTF16):  # of a stream nobody has looked at the encoding yet
        check_encoding(first, feed.shown)
    first = first.removeprefix(codecs.BOM_UTF8)
    if first:
        yield first
    yield from lines


def _read(feed: Feed, line: bytes) -> object:
    if len(line) >= LONGEST and not line.endswith(b"\n"):
        while feed.stream.readline(LONGEST)[-1:] not in {b"\n", b""}:
            pass
        return RecordError(BAD_RECORD, f"the line is longer than {LONGEST:,} bytes")
    try:
        value, replaced = mended(line)
    except RecordError as error:
        return error
    feed.replaced += replaced
    return value
