"""Records that Python hands over, in place of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scorerkit.conversion import kind_of, to_json
from scorerkit.dataset.records import Record
from scorerkit.errors import RecordError
from scorerkit.model.run import RUN_KEYS, ScorerRun


class GivenRecords:
    """Mappings with the keys of a data file, or runs; as strict as a file: one bad record fails alone."""

    surrogates = 0
    shown = "records"

    def __init__(self, records: Iterable[Mapping[str, Any] | ScorerRun], limit: int | None = None) -> None:
        self._records = records
        self._limit = limit
        self.total: int | None = None

    def __iter__(self) -> Iterator[Record]:
        for index, record in enumerate(self._records):
            if self._limit is not None and index >= self._limit:
                return
            yield _record(record, index)


def _record(given: object, index: int) -> Record:
    at = {"record": index + 1}
    if isinstance(given, ScorerRun):
        return Record(given, None, at, None)
    if not isinstance(given, Mapping):
        error = RecordError("bad-record", f"the record is {kind_of(given)}, not a mapping", at=at)
        return Record(None, error, at, None)
    try:
        row = to_json(given)
    except (TypeError, ValueError) as unusable:
        return Record(None, RecordError("bad-record", f"the record cannot be used: {unusable}", at=at), at, None)
    fields = {RUN_KEYS[key]: value for key, value in row.items() if key in RUN_KEYS}
    fields.setdefault("run_id", str(index + 1))
    more = {key: value for key, value in row.items() if key not in RUN_KEYS}
    if more or fields.get("metadata") is not None:
        fields["metadata"] = {**more, **(fields.get("metadata") or {})}
    run = ScorerRun(**fields)
    if "output" not in fields:
        error = RecordError("missing-output", "the record has no 'output'", at=at)
        return Record(run, error, at, None)
    return Record(run, None, at, None)
