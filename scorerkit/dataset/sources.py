"""A data set from a path: its records as they stand, or as traces tell them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeAlias

from scorerkit.dataset.opening import may_be_read_twice, opened
from scorerkit.dataset.records import STDIN, Dataset
from scorerkit.dataset.traced import By, TraceDataset
from scorerkit.errors import DataError
from scorerkit.traces.formats import FORMATS as TRACE_FORMATS
from scorerkit.traces.recognition import HEAD, Recognised, frame_of, recognise

if TYPE_CHECKING:
    from collections.abc import Collection

    from scorerkit.dataset.cuts import Cuts
    from scorerkit.dataset.fields import FieldMap

AnyDataset: TypeAlias = "Dataset | TraceDataset"

_NEVER = (".csv", ".tsv", ".yaml", ".yml")
"""Suffixes of what no traces are kept in."""


def open_dataset(
    source: str,
    *,
    shown: str | None = None,
    format: str | None = None,  # noqa: A002 - the option's name
    mapping: FieldMap | None = None,
    cuts: Cuts | None = None,
    duplicate_ids: Literal["refuse", "suffix"] = "refuse",
    json_columns: Collection[str] = (),
    stdin: BinaryIO | None = None,
    by: By = "trace",
    span_kind: str | None = None,
) -> AnyDataset:
    """The data set behind a path, or ``-`` for ``stdin``; a file of traces is recognised by its beginning.

    ``format`` is one of :data:`~scorerkit.dataset.formats.FORMATS` or :data:`~scorerkit.traces.formats.FORMATS`; None
    means to find out. ``by`` and ``span_kind`` say what a record of traces is; the rest is as for :class:`Dataset`.

    Raises:
        DataError: there is no such file, its format is not known or not the one that was named, or ``by`` or
            ``span_kind`` is asked of records that are no traces.
    """
    found = _found(source, shown or source, format, stdin)
    if found is None:
        if by != "trace" or span_kind is not None:
            option = "--by" if by != "trace" else "--span-kind"
            message = f"{option} needs traces, and '{shown or source}' holds none"
            raise DataError(message, fix="leave it out, or name the format: --data-format otlp")
        return Dataset(
            source, shown=shown, format=format, mapping=mapping, cuts=cuts, duplicate_ids=duplicate_ids,
            json_columns=json_columns, stdin=stdin,
        )  # fmt: skip
    if by != "trace" and span_kind is not None:
        message = "--by session makes one record of many spans, and --span-kind one of each"
        raise DataError(message, fix="give one of the two")
    return TraceDataset(
        source, found, shown=shown, by=by, span_kind=span_kind, mapping=mapping, cuts=cuts, stdin=stdin
    )  # fmt: skip


def _found(source: str, shown: str, format: str | None, stdin: BinaryIO | None) -> Recognised | None:  # noqa: A002
    """What kind of traces it is; None if it is to be read as records."""
    wanted = format if format in TRACE_FORMATS else None
    if format is not None and wanted is None:
        return None
    if wanted is None and source.lower().removesuffix(".gz").removesuffix(".zst").endswith(_NEVER):
        return None
    head = _head(source, shown, stdin)
    columns = _columns(source) if frame_of(head) == "table" and source != STDIN else None
    found = recognise(head, wanted, columns)
    if found is None and wanted is not None:
        message = f"'{shown}' does not begin like traces of the format '{wanted}'"
        raise DataError(message, code="unknown-format", fix="leave --data-format out, or name another one")
    return found


def _head(source: str, shown: str, stdin: BinaryIO | None) -> bytes:
    """The beginning, without taking it from a stream; of a stream that cannot be looked into, nothing."""
    if source == STDIN:
        stream = stdin or sys.stdin.buffer
        peek = getattr(stream, "peek", None)
        return bytes(peek(HEAD)) if peek is not None else b""
    if not may_be_read_twice(source, shown):
        return b""
    with opened(source, shown) as stream:
        return stream.read(HEAD)


def _columns(source: str) -> list[str]:
    """The names of a Parquet file's columns; none where they cannot be read, which is said later."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        return []
    try:
        return [str(name) for name in parquet.read_schema(source).names]
    except (ArrowException, OSError):
        return []
