"""Data sets of traces: one record per trace, span or session."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, Literal

from scorerkit.dataset.compact import Numbers
from scorerkit.dataset.cuts import Cuts
from scorerkit.dataset.fields import FieldMap, Mapped
from scorerkit.dataset.records import STDIN, Record
from scorerkit.dataset.span_source import SpanSource
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
        self._source = SpanSource(source, self.shown, found, stdin)
        self._found = found
        self._by = by
        self._span_kind = span_kind
        self._mapping = mapping or {}
        self._mapped = Mapped(mapping) if mapping else None
        self._cuts = cuts or Cuts()
        self._spool: Spool | None = None
        self._threshold: int | None = None
        self._ready = False
        if "runId" in self._mapping:
            message = "the records of traces have the ids of their traces; 'runId' cannot be mapped"
            raise DataError(message, fix="map it to 'metadata', or leave it out")

    @property
    def surrogates(self) -> int:
        return self._source.replaced

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
        for item, line in self._source.spans():
            if isinstance(item, RecordError):
                self._spool.fail(item, line)
            else:
                self._spool.add(item, line)
        self._spool.close_input()
        return self._spool.count()

    def _contiguous(self) -> int | None:
        """The number of groups if the spans of every trace stand together; None if they do not."""
        seen, count, last = Numbers(), 0, ""
        for item, _ in self._source.spans():
            if isinstance(item, RecordError):
                count, last = count + 1, ""
            elif item.trace != last:
                last = item.trace
                if seen.get(last):
                    return None
                seen.set(last, 1)
                count += 1
        return count

    # -- from spans to records ------------------------------------------------------------------------------------

    def _groups(self) -> Iterator[Group]:
        if self._spool is not None:
            yield from self._spool.groups()
            return
        raws: list[Raw] = []
        start, current = 0, ""
        for item, line in self._source.spans():
            if isinstance(item, Raw) and item.trace == current:
                raws.append(item)
                continue
            if raws:
                yield Group(raws, start)
            raws, start, current = [], line, ""
            if isinstance(item, RecordError):
                yield Group([], line, item)
            else:
                raws.append(item)
                current = item.trace
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
            return self._record(
                Made(run, RecordError(BAD_RECORD, message, fix="leave --by session out")), groups[0].line
            )
        return self._record(record_of_session(session, traces), groups[0].line)

    def _session_of(self, group: Group) -> str | None:
        return Trace(self._found.form, group.raws).identity().session if group.raws else None

    def _record(self, made: Made | RecordError, number: int) -> Record:
        unit = "line" if self._found.frame == "lines" else "record"
        at: dict[str, Json] = {"path": self.shown, unit: number}
        if isinstance(made, RecordError):
            made.at = made.at or at
            return Record(None, made, at, None)
        run: ScorerRun | None = made.run
        error = made.error
        row = {key: value for key, value in made.run.to_json().items() if value is not None}
        if error is None and self._mapped is not None:
            run, error = self._from_elsewhere(made.run, row)
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
