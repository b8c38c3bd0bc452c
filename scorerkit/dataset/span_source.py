"""The spans of a file, whatever they are packed in."""

from __future__ import annotations

import contextlib
import importlib
import shutil
import sys
import tempfile
import weakref
import zipfile
from typing import TYPE_CHECKING, BinaryIO, cast

import orjson

from scorerkit.dataset.feed import Feed, Row
from scorerkit.dataset.formats import json_lines, json_stream, parquet_file
from scorerkit.dataset.opening import opened
from scorerkit.dataset.records import STDIN
from scorerkit.errors import DataError, MissingExtra, RecordError
from scorerkit.traces.formats.otlp import ONE_RUN
from scorerkit.traces.span import BAD_RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json
    from scorerkit.traces.recognition import Recognised
    from scorerkit.traces.span import Raw

_LONGEST_SAMPLE = 512 * 1024 * 1024
"""Bytes of one file of an archive: what few bytes may unpack to."""
_ZSTANDARD = 93
"""The number of Zstandard among the methods of ZIP."""


class SpanSource:
    """A file as often as wanted, or a stream, which is copied to disk when it is first read."""

    def __init__(self, source: str, shown: str, found: Recognised, stdin: BinaryIO | None) -> None:
        self.shown = shown
        self._source = source
        self._found = found
        self._stdin = stdin
        self._feed: Feed | None = None
        self._copy: BinaryIO | None = None

    @property
    def replaced(self) -> int:
        """Lone surrogates that became U+FFFD in the present pass."""
        return self._feed.replaced if self._feed else 0

    def spans(self) -> Iterator[tuple[Raw | RecordError, int]]:
        """The spans in the order of the file, with the numbers of their lines or values; errors for those without.

        Raises:
            DataError: nothing after this point can be read.
        """
        raws = self._found.form.raws
        for value, number in self._values():
            if isinstance(value, RecordError):
                yield value, number
                continue
            try:
                for raw in raws(value):
                    yield raw, number
            except RecordError as error:
                yield error, number

    def _values(self) -> Iterator[Row]:
        with self._stream() as stream:
            feed = self._feed = Feed(stream, self.shown)
            if self._found.frame == "lines":
                yield from json_lines.rows(feed)
            elif self._found.frame == "table":
                yield from parquet_file.rows(feed)
            elif self._found.frame == "archive":
                yield from _samples(feed)
            else:
                yield from self._notes(feed)
                yield from json_stream.values(feed, self._found.prefix)

    def _notes(self, feed: Feed) -> Iterator[Row]:
        """What a document says of its one run beside the spans: read first, for it stands behind them."""
        if self._found.name != "otlp" or self._found.prefix != "spans.item":
            return
        notes = [value for value, _ in json_stream.values(feed, ONE_RUN)]
        feed.stream.seek(0)
        if notes:
            first = next(json_stream.values(feed, self._found.prefix), None)
            feed.stream.seek(0)
            if first is not None:
                yield {"spans": [first[0]], ONE_RUN: notes[0]}, 1

    def _stream(self) -> contextlib.AbstractContextManager[BinaryIO]:
        """The bytes, from the beginning, in a stream that can be wound back."""
        packed = self._source.endswith((".gz", ".zst")) and self._found.frame != "lines"
        if self._source != STDIN and not packed:
            return opened(self._source, self.shown)
        if self._copy is None:
            self._copy = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - lives as long as the data set
            weakref.finalize(self, self._copy.close)
            given = contextlib.nullcontext(self._stdin or sys.stdin.buffer)
            with given if self._source == STDIN else opened(self._source, self.shown) as stream:
                shutil.copyfileobj(stream, self._copy)
        self._copy.seek(0)
        return contextlib.nullcontext(self._copy)


def _samples(feed: Feed) -> Iterator[Row]:
    """The samples of an Inspect log, which is an archive with one file for each."""
    try:
        with zipfile.ZipFile(feed.stream) as archive:
            names = [entry for entry in archive.infolist() if entry.filename.startswith("samples/")]
            if any(entry.compress_type == _ZSTANDARD for entry in names):
                _learn_zstandard(feed.shown)
            for number, entry in enumerate(names, 1):
                yield _sample(archive, entry), number
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError) as error:
        message = f"'{feed.shown}' cannot be read: {error}"
        fix = "turn it into JSON: inspect log convert --to json"
        raise DataError(message, code="unreadable-file", fix=fix) from None


def _learn_zstandard(shown: str) -> None:
    """Before Python 3.14, ``zipfile`` needs to be taught what Inspect packs its logs with, which does it the same way.

    Raises:
        MissingExtra: the library that does it is not installed.
    """
    if hasattr(zipfile, "ZIP_ZSTANDARD"):
        return
    try:
        importlib.import_module("zipfile_zstd")
    except ImportError:
        raise MissingExtra("zstd", f"reading '{shown}'") from None


def _sample(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Json | RecordError:
    if entry.file_size > _LONGEST_SAMPLE:
        return RecordError(BAD_RECORD, f"the sample '{entry.filename}' is larger than {_LONGEST_SAMPLE} bytes")
    try:
        with archive.open(entry) as stream:
            raw = stream.read(_LONGEST_SAMPLE + 1)
    except Exception as error:  # each method of packing has an error of its own
        return RecordError(BAD_RECORD, f"the sample '{entry.filename}' is damaged: {error}")
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        return RecordError(BAD_RECORD, f"the sample '{entry.filename}' is not JSON: {error}")
