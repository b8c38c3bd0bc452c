"""From a row to a run: known columns, mapped columns, and the rest as metadata."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

import orjson

from scorerkit.dataset.strict_json import BAD_RECORD, deep, mended
from scorerkit.errors import DataError, RecordError
from scorerkit.model.run import RUN_KEYS, ScorerRun
from scorerkit.suggest import closest, listed, suggestion

if TYPE_CHECKING:
    from scorerkit.model.json import Json

Source: TypeAlias = "tuple[Literal['path', 'json'], str] | Callable[[dict[str, Json]], Json]"
"""Where a field comes from: a dotted path into the row, a column whose text is JSON, or what a callable returns."""

FieldMap: TypeAlias = Mapping[str, Source]
"""Key of a run, such as ``output`` → where its value comes from. A source that is missing leaves the field absent."""

Formed: TypeAlias = "tuple[ScorerRun | None, RecordError | None]"
"""A run, or why there is none; both, if the run is known and cannot be scored."""

_LIKELY = (
    "model_output", "modeloutput", "response", "model_response", "answer", "model_answer", "generated_answer",
    "completion", "prediction", "predicted", "generated", "generated_text", "generation", "actual_output", "actual",
    "outputs", "result", "reply", "text", "content",
)  # fmt: skip
"""What outputs are called elsewhere, the surest first."""

_INDEX = re.compile("[0-9]{1,9}")

KNOWN = frozenset(RUN_KEYS)
_make = ScorerRun._make


def formed(row: Json) -> Formed:
    """The run of a row whose columns have the names of the fields. Its ``run_id`` is None if the row has none."""
    if type(row) is not dict:
        return None, row if isinstance(row, RecordError) else _no_mapping(row)
    get = row.get
    run_id, metadata = get("runId"), get("metadata")
    try:
        if type(run_id) is not str:
            run_id = id_text(run_id)
        if metadata is not None or not KNOWN.issuperset(row):
            metadata = _metadata(row, metadata, KNOWN)
    except RecordError as error:
        return None, error
    run = _make(
        (
            get("input"),
            get("output"),
            get("groundTruth"),
            get("expectedTrajectory"),
            run_id or None,
            get("requestContext"),
            metadata,
        )
    )
    if "output" not in row:
        return run, _no_output(row, None)
    return run, None


def with_id(run: ScorerRun, run_id: str) -> ScorerRun:
    """``run`` under that id; as ``_replace``, in a third of its time."""
    return _make((*run[:4], run_id, *run[5:]))


class Mapped:
    """:func:`formed` for rows of which some fields come from elsewhere."""

    def __init__(self, fields: FieldMap) -> None:
        self._fields = fields
        taken = {source[1] for source in fields.values() if isinstance(source, tuple)}
        self._known = KNOWN | {column for column in taken if "." not in column}
        self._sources = {key: source[1] for key, source in fields.items() if isinstance(source, tuple)}

    def __call__(self, row: Json) -> Formed:
        if type(row) is not dict:
            return formed(row)
        fields = {key: value for key, value in row.items() if key in KNOWN and key not in self._fields}
        try:
            for key, source in self._fields.items():
                value = _from(source, row)
                if value is not ...:
                    fields[key] = value
            fields["metadata"] = _metadata(row, fields.get("metadata"), self._known)
        except RecordError as unusable:
            return None, unusable
        run, error = formed(fields)
        if run is not None and "output" not in fields:
            return run, _no_output(row, self._sources.get("output"))
        return run, error

    def check(self, columns: Collection[str], shown: str) -> None:
        """Refuse a column that no record can have.

        Raises:
            DataError: the header of the data does not name it.
        """
        for key, source in self._fields.items():
            if not isinstance(source, tuple) or source[1] in columns or source[1].split(".")[0] in columns:
                continue
            message = f"'{shown}' has no column '{source[1]}', from which '{key}' is to be filled"
            raise DataError(message, code="unknown-value", fix=suggestion(source[1], columns))

    def run_id(self, row: dict[str, Json]) -> Json:
        """The value that becomes the run's id, as it stands; None if there is none."""
        source = self._fields.get("runId")
        if source is None:
            return row.get("runId")
        value = _from(source, row)
        return None if value is ... else value


def id_text(value: Json) -> str | None:
    """A ``runId`` as text.

    Raises:
        RecordError: it is neither text nor a whole number.
    """
    if value is None or type(value) is str:
        return value or None
    if type(value) is int:
        return str(value)
    message = "'runId' must be text or a whole number"
    raise RecordError(BAD_RECORD, message)


def _from(source: Source, row: dict[str, Json]) -> Json:
    """The value of a source; ``...`` if it is missing."""
    if not isinstance(source, tuple):
        return source(row)
    kind, path = source
    value = row[path] if path in row else _walked(row, path)
    if kind == "path" or not isinstance(value, str):
        return value
    if not value.strip():
        return ...
    try:
        found = orjson.loads(value)
    except orjson.JSONDecodeError:
        try:
            found = mended(value.encode())[0]
        except RecordError as error:
            message = f"'{path}' must hold JSON: {error.message}"
            raise RecordError(error.code, message) from None
    if too_deep := deep(found):
        raise too_deep
    return found


def _walked(value: Json, path: str) -> Json:
    for part in path.split("."):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and _INDEX.fullmatch(part) and int(part) < len(value):
            value = value[int(part)]
        else:
            return ...
    return value


def _metadata(row: dict[str, Json], own: Json, known: frozenset[str]) -> dict[str, Json] | None:
    if own is not None and not isinstance(own, dict):
        message = "'metadata' must be a mapping"
        raise RecordError(BAD_RECORD, message, fix="give it keys, or name the column otherwise")
    more = {key: value for key, value in row.items() if key not in known}
    return {**more, **own} if more and own else more or own


def _no_mapping(row: Json) -> RecordError:
    kind = "a list" if isinstance(row, list) else "null" if row is None else "a single value"
    return RecordError(BAD_RECORD, f"a record must be a mapping, not {kind}", fix='write {"input": …, "output": …}')


def _no_output(row: dict[str, Json], mapped: str | None) -> RecordError:
    if mapped is not None:
        close = closest(mapped, row)
        message = f"the record has no '{mapped}', which is mapped to 'output'"
        return RecordError("missing-output", message, fix=f"did you mean '{close}'?" if close else None)
    others = [key for key in row if key not in KNOWN]
    columns = f"; it has {listed(others)}" if others else ""
    likely = next((key for name in _LIKELY for key in others if key.lower() == name), "COLUMN")
    fix = f"map the column that holds it: --map output={likely}"
    return RecordError("missing-output", f"the record has no 'output'{columns}", fix=fix)
