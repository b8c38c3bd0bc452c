"""A result as a flat row: mappings become dotted columns, other structures JSON text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from scorerkit.model.json import Json

COLUMNS = (
    "runId", "status", "score", "passed", "reason", "preprocessStepResult", "analyzeStepResult",
    "generateScoreStepResult", "judgeOutput", "preprocessPrompt", "analyzePrompt", "generateScorePrompt",
    "generateReasonPrompt", "judge", "recorded", "failedStep", "completedSteps", "error.code", "error.message",
    "error.at", "notScorable.step", "notScorable.reason", "scorer.id", "scorer.name", "scorer.version",
    "scorer.digest", "params", "judgeDigest", "experimentId", "durationMs",
)  # fmt: skip
"""The columns of every result, in this order; ``run.X`` and ``metadata.X`` follow."""

LOOKED_AT = 100
MORE = "metadataMore"
NESTED = ("metadata", "run")


def flatten(row: dict[str, Json]) -> dict[str, Json]:
    """Column → value; what has no column of its own stays under its key, for :func:`spread`."""
    found = {}
    for column in COLUMNS:
        key, dot, inner = column.partition(".")
        value = row.get(key)
        found[column] = (value or {}).get(inner) if dot else value
    for key in NESTED:
        values = row.get(key)
        if isinstance(values, dict):
            found |= {f"{key}.{name}": value for name, value in values.items()}
    return found


def further_columns(rows: list[dict[str, Json]]) -> list[str]:
    """The columns beyond :data:`COLUMNS` that these rows have, in order of appearance."""
    return list(dict.fromkeys(column for row in rows for column in row if column not in COLUMNS))


def fit(row: dict[str, Json], columns: list[str]) -> dict[str, Json]:
    """A row with just these columns; metadata without one is gathered as JSON in :data:`MORE`."""
    more = {name: value for name, value in row.items() if name not in columns}
    kept = {column: row.get(column) for column in columns if column != MORE}
    kept[MORE] = more or None
    return kept


def json_text(value: Json) -> str:
    """Structures as JSON text."""
    return orjson.dumps(value).decode()
