"""Data sets of traces: one record per trace, span or session."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import zipfile
from typing import TYPE_CHECKING, BinaryIO, Literal, cast

import orjson

from scorerkit.dataset.compact import Numbers
from scorerkit.dataset.cuts import Cuts
from scorerkit.dataset.feed import Feed, Row
from scorerkit.dataset.fields import FieldMap, Mapped
from scorerkit.dataset.formats import json_lines, json_stream, parquet_file
from scorerkit.dataset.opening import opened
from scorerkit.dataset.records import STDIN, Record
from scorerkit.errors import DataError, NothingSelected, RecordError
from scorerkit.model.run import ScorerRun
from scorerkit.traces.run import Made, record_of_session, record_of_trace, records_of_spans, telling
from scorerkit.traces.span import BAD_RECORD, Raw
from scorerkit.traces.spool import Group, Spool
from scorerkit.traces.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json
    from scorerkit.traces.recognition import Recognised

By = Literal["trace", "session"]
_LONGEST_SAMPLE = 512 * 1024 * 1024


class TraceDataset:
    """The records of a file of traces, as often as wanted; a stream is copied to disk first.

    Lines whose traces do not mix are read one trace at a time. All else is put in order on disk once, so that memory
    holds one trace (or session) whatever the size of the file.

    Args:
        source: a path, or ``-`` for ``stdin``.
        found: what the file is.
        by: what a record is, where it is not a span.
        span_kind: one record for every span of that kind; None means whole traces.
        mapping: fields that come from elsewhere in a record's own input, output and metadata.
    """

    def __init__(
        self,
        source: str,
        found: Recognised,
        *,
        shown: str | None = None,
        by: By = "trace",
        span_kind: str | None = None,
        mapping: FieldMap | None = None,
        cuts: Cuts | None = None,
        stdin: BinaryIO | None = None,
    ) -> None:
        self.shown = shown or ("stdin" if source == STDIN else source)
        self.total: int | None = None
        self.once = False
        self._source = source
        self._stdin = stdin
        self._found = found
        self._by = by
        self._span_kind = span_kind
        self._mapping = mapping or {}
        self._mapped = Mapped(mapping) if mapping else None
        self._cuts = cuts or Cuts()
        self._feed: Feed | None = None
        self._copy: BinaryIO | None = None
        self._spool: Spool | None = None
        self._threshold: int | None = None
        self._ready = False
        if "runId" in self._mapping:
            message = "the records of traces have the ids of their traces; 'runId' cannot be mapped"
            raise DataError(message, fix="map it to 'metadata', or leave it out")

    @property
    def surrogates(self) -> int:
        return self._feed.replaced if self._feed else 0

    def survey(self) -> None:
        """Read the file once: whether its traces mix, what cannot be read, how many records there are.

        Raises:
            DataError: it is damaged.
            NothingSelected: no record is left.
        """
        groups = self._prepare()
        self._ready = True
        if self._by == "session":
            assert self._spool is not None
            groups = self._spool.assign(self._session_of)
        if self._cuts.by_content:
            self._threshold, self.total = self._cuts.survey(self._records())
        elif self._span_kind is not None:
            self.total = sum(1 for _ in self._cuts.select(self._records(), None))
        else:
            self.total = groups if self._cuts.limit is None else min(groups, self._cuts.limit)
        if not self.total:
            cut = self._cuts.by_content or self._cuts.limit is not None
            what = f"no record of '{self.shown}' is left to be scored" if cut else f"'{self.shown}' holds no records"
            raise NothingSelected(what, why="an empty data set proves nothing")

    def __iter__(self) -> Iterator[Record]:
        """The records that are left by the cuts, in the order in which their traces begin.

        Raises:
            DataError: as :meth:`survey`, which is made up for.
        """
        if not self._ready:
            self.survey()
        yield from self._cuts.select(self._records(), self._threshold)

    # -- from bytes to spans --------------------------------------------------------------------------------------

    def _prepare(self) -> int:
        """Look whether traces mix, and put them in order if they do; returns how many groups there are."""
        if self._found.frame == "lines" and self._by == "trace":
            count = self._contiguous()
            if count is not None:
                return count
        self._spool = Spool()
        for item, line in self._spans():
            if isinstance(item, RecordError):
                self._spool.fail(item, line)
            else:
                self._spool.add(item, line)
        self._spool.close_input()
        return self._spool.count()

    def _contiguous(self) -> int | None:
        """The number of groups if the spans of every trace stand together; None if they do not."""
        seen, count, last = Numbers(), 0, ""
        for item, _ in self._spans():
            if isinstance(item, RecordError):
                count, last = count + 1, ""
            elif item.trace != last:
                last = item.trace
                if seen.get(last):
                    return None
                seen.set(last, 1)
                count += 1
        return count

    def _spans(self) -> Iterator[tuple[Raw | RecordError, int]]:
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
        from scorerkit.traces.formats.otlp import ONE_RUN

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
            given = contextlib.nullcontext(self._stdin or sys.stdin.buffer)
            with given if self._source == STDIN else opened(self._source, self.shown) as stream:
                shutil.copyfileobj(stream, self._copy)
        self._copy.seek(0)
        return contextlib.nullcontext(self._copy)

    # -- from spans to records ------------------------------------------------------------------------------------

    def _groups(self) -> Iterator[Group]:
        if self._spool is not None:
            yield from self._spool.groups()
            return
        raws: list[Raw] = []
        start = 0
        for item, line in self._spans():
            broken = isinstance(item, RecordError)
            if raws and (broken or item.trace != raws[0].trace):  # type: ignore[union-attr]
                yield Group(raws, start)
                raws = []
            if isinstance(item, RecordError):
                yield Group([], line, item)
                continue
            if not raws:
                start = line
            raws.append(item)
        if raws:
            yield Group(raws, start)

    def _records(self) -> Iterator[Record]:
        if self._by == "session":
            assert self._spool is not None
            for groups in self._spool.sessions():
                yield self._of_session(groups)
            return
        for group in self._groups():
            for made in self._of_group(group):
                yield self._record(made, group.line)

    def _of_group(self, group: Group) -> Iterator[Made | RecordError]:
        if group.error is not None:
            yield group.error
            return
        trace = Trace(self._found.form, group.raws)
        if self._span_kind is not None:
            yield from records_of_spans(trace, self._span_kind)
        else:
            yield record_of_trace(trace)

    def _of_session(self, groups: list[Group]) -> Record:
        error = groups[0].error
        if error is not None:
            return self._record(error, groups[0].line)
        traces = [Trace(self._found.form, group.raws) for group in groups]
        session = traces[0].identity().session
        if session is None:
            run = ScorerRun(run_id=traces[0].id, metadata={"traceId": traces[0].id})
            message = f"the trace '{traces[0].id}' belongs to no session"
            return self._record(Made(run, RecordError(BAD_RECORD, message, fix="leave --by session out")), groups[0].line)
        return self._record(record_of_session(session, traces), groups[0].line)

    def _session_of(self, group: Group) -> str | None:
        return Trace(self._found.form, group.raws).identity().session if group.raws else None

    def _record(self, made: Made | RecordError, number: int) -> Record:
        unit = "line" if self._found.frame == "lines" else "record"
        at: dict[str, Json] = {"path": self.shown, unit: number}
        if isinstance(made, RecordError):
            made.at = made.at or at
            return Record(None, made, at, None)
        run, error = made
        row = {key: value for key, value in run.to_json().items() if value is not None}
        if error is None and self._mapped is not None:
            run, error = self._from_elsewhere(run, row)
        if error is not None:
            error.at = error.at or at
        return Record(run, error, at, row)

    def _from_elsewhere(self, run: ScorerRun, row: dict[str, Json]) -> tuple[ScorerRun | None, RecordError | None]:
        """The run with mapped fields; it still tells its trace where neither input nor output is one of them."""
        assert self._mapped is not None
        changed, error = self._mapped(row)
        if changed is None or error is not None or not self._mapping.keys().isdisjoint({"input", "output"}):
            return changed, error
        return telling(changed, run), None


def _samples(feed: Feed) -> Iterator[Row]:
    """The samples of an Inspect log, which is an archive with one file for each."""
    try:
        with zipfile.ZipFile(feed.stream) as archive:
            names = [entry for entry in archive.infolist() if entry.filename.startswith("samples/")]
            for number, entry in enumerate(names, 1):
                yield _sample(archive, entry), number
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError) as error:
        message = f"'{feed.shown}' cannot be read: {error}"
        fix = "turn it into JSON: inspect log convert --to json"
        raise DataError(message, code="unreadable-file", fix=fix) from None


def _sample(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Json | RecordError:
    if entry.file_size > _LONGEST_SAMPLE:
        return RecordError(BAD_RECORD, f"the sample '{entry.filename}' is larger than {_LONGEST_SAMPLE} bytes")
    with archive.open(entry) as stream:
        raw = stream.read(_LONGEST_SAMPLE + 1)
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        return RecordError(BAD_RECORD, f"the sample '{entry.filename}' is not JSON: {error}")
