from __future__ import annotations

import contextlib
import sys
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple, cast

from scorerkit.dataset import duplicates
from scorerkit.dataset.cuts import Cuts
from scorerkit.dataset.feed import Feed, Row
from scorerkit.dataset.fields import FieldMap, Mapped, formed, id_text, with_id
from scorerkit.dataset.formats import format_module, format_of
from scorerkit.dataset.identity import Census, Names, StreamedNames, SurveyedNames, content_id
from scorerkit.dataset.opening import HEAD, check_encoding, may_be_read_twice, opened
from scorerkit.errors import DataError, NothingSelected, RecordError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from scorerkit.model.json import Json
    from scorerkit.model.run import ScorerRun

STDIN = "-"


class Record(NamedTuple):
    """One record of the data.

    Attributes:
        run: None if the record cannot be read at all. With ``error`` too, it is known and cannot be scored.
        error: why the record is a failed one before anything is scored.
        at: where it stands: ``path``, and ``line`` or ``record``, from 1.
        raw: the row that the run was made from; None if there is none.
        position: its place in the whole data, from 0, where only a part of it is given (``--shard``).
    """

    run: ScorerRun | None
    error: RecordError | None
    at: dict[str, Json] | None
    raw: Json
    position: int | None = None


class Dataset:
    """The records of a file, as often as wanted, or of a stream, once.

    Args:
        source: a path, or ``-`` for ``stdin``.
        shown: how messages name it.
        format: one of :data:`~scorerkit.dataset.formats.FORMATS`; None means by suffix, and JSONL for ``-``.
        mapping: fields that come from other columns.
        cuts: which records are left out.
        duplicate_ids: whether a second record with an id is refused or gets ``-2``, ``-3``.
        json_columns: columns of a table whose cells are JSON.
        stdin: the stream behind ``-``; None means the process's own.

    Raises:
        DataError: the source does not exist, or its format is not known.

    ``surrogates`` counts lone surrogates that became U+FFFD in the present pass; ``total`` is the number of records
    that are left by the cuts, known after :meth:`survey`.
    """

    def __init__(
        self,
        source: str,
        *,
        shown: str | None = None,
        format: str | None = None,  # noqa: A002 - the option's name
        mapping: FieldMap | None = None,
        cuts: Cuts | None = None,
        duplicate_ids: Literal["refuse", "suffix"] = "refuse",
        json_columns: Collection[str] = (),
        stdin: BinaryIO | None = None,
    ) -> None:
        self.shown = shown or ("stdin" if source == STDIN else source)
        self.total: int | None = None
        self.once = source == STDIN or not may_be_read_twice(source, self.shown)
        self._source = source
        self._stdin = stdin
        self._module = format_module(format or ("jsonl" if source == STDIN else format_of(source)))
        self._mapped = Mapped(mapping) if mapping else None
        self._cuts = cuts or Cuts()
        self._suffix = duplicate_ids == "suffix"
        self._json_columns = frozenset(json_columns)
        self._feed: Feed | None = None
        self._known: tuple[Census, frozenset[str]] | None = None
        self._threshold: int | None = None
        self._taken = False
        self._refuse_what_needs_a_file()

    @property
    def surrogates(self) -> int:
        return self._feed.replaced if self._feed else 0

    def survey(self) -> None:
        """Look through a file before anything is scored: encoding, duplicate ids, how many records are left.

        Does nothing for a stream.

        Raises:
            DataError: the data must not be scored as it is.
            NothingSelected: no record is left.
        """
        if self.once:
            return
        if self._module.TEXT:
            with self._stream() as stream:
                check_encoding(stream.read(HEAD), self.shown)
        self.total = self._take_census()
        if self._cuts.by_content and self.total:
            self._threshold, self.total = self._cuts.survey(self._records())
        if not self.total:
            raise self._nothing()

    def __iter__(self) -> Iterator[Record]:
        """The records that are left by the cuts, in the order of the data.

        Raises:
            DataError: as :meth:`survey`, which is made up for, or a stream is read again.
            NothingSelected: a stream had no record.
        """
        if not self.once and self._known is None:
            self.survey()
        records = self._records()
        if self._cuts.by_content or self._cuts.limit is not None:
            records = self._cuts.select(records, self._threshold)
        if not self.once:
            yield from records
            return
        self.total = 0
        for record in records:
            self.total += 1
            yield record
        if not self.total:
            raise self._nothing()

    def _records(self) -> Iterator[Record]:
        form = self._mapped or formed
        names = self._names()
        shown, unit, careful = self.shown, self._module.UNIT, names.careful
        new = tuple.__new__
        for row, number in self._rows():
            run, error = form(row)
            at = {"path": shown, unit: number}
            if run is not None and (careful or run.run_id is None):
                try:
                    run = with_id(run, names.final(run.run_id, cast("dict[str, Json]", row), number))
                except RecordError as duplicate:
                    run, error = None, duplicate
            if error is not None:
                error.at = error.at or at
            yield new(Record, (run, error, at, None if error is row else row, None))

    def _rows(self) -> Iterator[Row]:
        with self._stream() as stream:
            self._feed = Feed(stream, self.shown, self._json_columns, self._check)
            yield from self._module.rows(self._feed)

    def _check(self, columns: list[str]) -> None:
        """What the header of a table already shows to be wrong is said once, and not for every record."""
        if self._mapped is not None:
            self._mapped.check(columns, self.shown)
        if self._cuts.check is not None:
            self._cuts.check(columns)

    def _stream(self) -> contextlib.AbstractContextManager[BinaryIO]:
        if self.once:
            if self._taken:
                message = f"'{self.shown}' can be read only once"
                raise DataError(message, fix="save the data to a file")
            self._taken = True
        if self._source == STDIN:
            return contextlib.nullcontext(self._stdin or sys.stdin.buffer)
        return opened(self._source, self.shown)

    def _names(self) -> Names:
        return SurveyedNames(*self._known) if self._known else StreamedNames(self._suffix)

    def _take_census(self) -> int:
        """Note all ids that iterating will meet; returns the number of rows it will meet."""
        census, count = Census(), 0
        add = census.add
        for row, _ in self._limited_rows():
            count += 1
            if type(row) is dict:
                run_id = self._own_id(row)
                add(hash(run_id or content_id(row)))
        census.settle()
        repeated = duplicates.find(self._own_ids() if census.repeated else (), census.repeats)
        if repeated.again and not self._suffix:
            raise duplicates.refused(repeated, self.shown, self._module.UNIT)
        self._known = (census, repeated.own)
        return count

    def _limited_rows(self) -> Iterator[Row]:
        return self._rows() if self._cuts.where else islice(self._rows(), self._cuts.limit)

    def _own_ids(self) -> Iterator[tuple[str, int]]:
        for row, number in self._limited_rows():
            run_id = self._own_id(row) if type(row) is dict else None
            if run_id:
                yield run_id, number

    def _own_id(self, row: dict[str, Json]) -> str | None:
        """The id that a row brings along; None as well if it has one that cannot be read, which fails it later."""
        try:
            run_id = self._mapped.run_id(row) if self._mapped else row.get("runId")
            return run_id if type(run_id) is str else id_text(run_id)
        except RecordError:
            return None

    def _nothing(self) -> NothingSelected:
        if self._cuts.by_content or self._cuts.limit is not None:
            return NothingSelected(f"no record of '{self.shown}' is left to be scored", fix="widen the filter or limit")
        return NothingSelected(f"'{self.shown}' holds no records", why="an empty data set proves nothing")

    def _refuse_what_needs_a_file(self) -> None:
        if not self.once:
            return
        needs = "a sample" if self._cuts.sample is not None else "" if self._module.TEXT else "this format"
        if needs:
            message = f"{needs} needs a file, and '{self.shown}' is a stream"
            raise DataError(message, fix="save the data to a file")
