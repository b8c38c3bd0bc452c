"""Parquet, made at the end from lines that were kept as they came."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from scorerkit.errors import MissingExtra, ScorerkitError
from scorerkit.results.flat import LOOKED_AT, Columns, text_of
from scorerkit.results.partial import SUFFIX, PartialFile

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterable, Iterator

    from scorerkit.model.json import Json
    from scorerkit.results.sinks import Sink

_EXTRA = "parquet"
_BATCH = 1000
_BATCH_BYTES = 16 * 1024 * 1024
_NUMBERS = {"score", "generateScoreStepResult", "durationMs"}
_TRUTHS = {"passed", "uncertain", "positionInconsistent"}


def open_target(target: str) -> Sink:
    """As :func:`open_sink` says."""
    if not _installed():
        raise MissingExtra(_EXTRA, f"writing '{target}'")
    return ParquetFile(target)


def _installed() -> bool:
    """Looked up before anything is scored, and not imported before it is used."""
    try:
        return find_spec("pyarrow") is not None
    except ValueError:
        return False


class ParquetFile:
    """Lines are kept in ``PATH.partial`` until :meth:`finish`."""

    def __init__(self, target: str) -> None:
        self._lines = PartialFile(target)
        if self._lines.direct:
            self._lines.abort()
            message = f"'{target}' is a pipe or a device, and Parquet needs a file"
            raise ScorerkitError(message)
        self.write = self._lines.write

    def finish(self) -> None:
        self._lines.flush()
        table = self._lines.path.with_name(self._lines.path.name + ".table" + SUFFIX)
        try:
            _write(self._lines.partial, table)
            table.replace(self._lines.path)
        except OSError as error:
            table.unlink(missing_ok=True)
            raise self._lines.failure(error) from None
        self._lines.discard()

    def abort(self) -> None:
        self._lines.abort()


def _write(lines: pathlib.Path, table: pathlib.Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    with lines.open("rb") as stream:
        columns = Columns.of(map(orjson.loads, islice(stream, LOOKED_AT)))
    schema = pa.schema([(name, _type(pa, name)) for name in columns.names])
    with lines.open("rb") as stream, parquet.ParquetWriter(table, schema) as writer:
        for batch in _batches(stream):
            rows = [columns.cells(orjson.loads(line)) for line in batch]
            values = [[_value(name, row[index]) for row in rows] for index, name in enumerate(columns.names)]
            arrays = [pa.array(column, field.type) for column, field in zip(values, schema, strict=True)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _batches(stream: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Lines together, bounded in number and in size."""
    batch: list[bytes] = []
    size = 0
    for line in stream:
        batch.append(line)
        size += len(line)
        if len(batch) >= _BATCH or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _type(pa: Any, name: str) -> Any:
    return pa.float64() if name in _NUMBERS else pa.bool_() if name in _TRUTHS else pa.string()


def _value(name: str, value: Json) -> Json:
    if name in _NUMBERS:
        return None if value is None else float(value)
    return value if name in _TRUTHS else text_of(value)
