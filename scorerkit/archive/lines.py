"""Lines of results as values."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from scorerkit import shipped
from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from scorerkit.model.json import Json

CODE = "not-a-result"
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which no UTF-8 has."""


class Line(NamedTuple):
    """One result: the record's place in the data (None where a file does not say it), the text, and what it holds."""

    position: int | None
    text: bytes
    row: dict[str, Json]


def loads(text: bytes) -> Json:
    """JSON; whole numbers beyond 64 bits take the slow way.

    Raises:
        ValueError: it is none.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text, parse_constant=_no_number)


def _no_number(name: str) -> Json:
    message = f"{name} is no number of JSON"
    raise ValueError(message)


@cache
def _shape() -> tuple[frozenset[str], frozenset[str]]:
    """The keys that every result has, and those that it may have."""
    schema = shipped.schema("result")
    return frozenset(schema["required"]), frozenset(schema["properties"])


def read_line(text: bytes, position: int | None, place: str) -> Line:
    """A line as a result; ``place`` is how messages name it.

    Raises:
        ScorerkitError: it is not whole, or no result as this release writes them.
    """
    try:
        row = loads(text)
    except (ValueError, RecursionError) as error:
        message = f"{place}: the line is not whole: it does not end as JSON does"
        fix = "score that part again, or take the line out"
        raise ScorerkitError(message, code=CODE, why="a run that breaks off can leave half a line", fix=fix) from error
    required, known = _shape()
    if not isinstance(row, dict):
        message = f"{place}: the line is JSON, and no result"
        raise ScorerkitError(message, code=CODE, fix="give a file that 'scorerkit run --output' wrote")
    missing, unknown = sorted(required - row.keys()), sorted(row.keys() - known)
    if missing or unknown:
        words = [f"it lacks {_listed(missing)}"] * bool(missing) + [f"it has {_listed(unknown)}"] * bool(unknown)
        message = f"{place}: the line is no result of this release: {' and '.join(words)}"
        raise ScorerkitError(message, code=CODE, fix="use the release that wrote it for all parts, or score them again")
    if wrong := _misshapen(row):
        message = f"{place}: the line is no result of this release: '{wrong}' is not what it is in results"
        raise ScorerkitError(message, code=CODE, fix="give a file that 'scorerkit run --output' wrote")
    return Line(position, text, row)


@cache
def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(shipped.schema("result"))


def _misshapen(row: dict[str, Json]) -> str | None:
    """The path of the first value that its schema does not allow."""
    validator = _validator()
    if not validator.is_valid(row):
        error = next(validator.iter_errors(row))
        return ".".join(map(str, error.instance_path)) or "the whole"
    try:
        if not math.isfinite(row["score"] or 0):
            return "score"
    except OverflowError:
        return "score"
    return "runId" if row["runId"] and _HALF.search(row["runId"]) else None


def _listed(keys: list[str]) -> str:
    more = f" and {len(keys) - 3} more" if len(keys) > 3 else ""
    return ", ".join(f"'{key}'" for key in keys[:3]) + more
