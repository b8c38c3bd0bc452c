"""A result as one row of named cells, for formats that have no nesting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorerkit.model.json import Json

FIXED = (
    "runId",
    "status",
    "score",
    "passed",
    "reason",
    "failedStep",
    "error.code",
    "error.message",
    "error.at",
    "error.why",
    "error.fix",
    "notScorable.step",
    "notScorable.reason",
    "scorer.id",
    "scorer.name",
    "scorer.version",
    "scorer.digest",
    "params",
    "judgeDigest",
    "experimentId",
    "durationMs",
    "completedSteps",
    "preprocessStepResult",
    "analyzeStepResult",
    "generateScoreStepResult",
    "judgeOutput",
    "preprocessPrompt",
    "analyzePrompt",
    "generateScorePrompt",
    "generateReasonPrompt",
    "judge",
    "recorded",
    "samples",
    "uncertain",
    "positionInconsistent",
)
"""The columns of every table of results, in order."""

RUN = tuple(
    f"run.{key}"
    for key in ("input", "output", "groundTruth", "expectedTrajectory", "runId", "requestContext", "metadata")
)
"""Further columns where results hold their records."""

MORE = "metadataMore"
"""The last column: metadata that has no column of its own, as a JSON mapping of dotted names."""

LOOKED_AT = 100
"""Results whose metadata decides which columns there are."""

MOST_COLUMNS = 200
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one table: those every result has a cell for, then those of its metadata, then the rest."""

    names: tuple[str, ...]
    _fixed: tuple[tuple[str, str], ...]
    _metadata: tuple[str, ...]

    @classmethod
    def of(cls, results: Iterable[dict[str, Json]]) -> Columns:
        """Those of a table that begins with ``results``."""
        found: dict[str, None] = {}
        with_run = False
        for result in results:
            with_run = with_run or "run" in result
            for name, _ in _leaves(result.get("metadata"), "metadata"):
                if len(found) < MOST_COLUMNS:
                    found[name] = None
        fixed = (*FIXED, *(RUN if with_run else ()))
        return cls((*fixed, *found, MORE), tuple(_parts(name) for name in fixed), tuple(found))

    def cells(self, result: dict[str, Json]) -> list[Json]:
        """One value for each name; what a result lacks is None."""
        get = result.get
        cells = [_entry(get(head), key) if key else get(head) for head, key in self._fixed]
        metadata: dict[str, Json] = dict.fromkeys(self._metadata)
        more: dict[str, Json] = {}
        for name, value in _leaves(get("metadata"), "metadata"):
            (metadata if metadata.get(name, more) is None else more)[name] = value
        return [*cells, *metadata.values(), more or None]


def _parts(name: str) -> tuple[str, str]:
    head, _, key = name.partition(".")
    return head, key


def _entry(value: Json, key: str) -> Json:
    return value.get(key) if type(value) is dict else None


def text_of(value: Json) -> str | None:
    """A cell as text: text as it is, all else as JSON."""
    if value is None or isinstance(value, str):
        return value
    return orjson.dumps(value).decode()


def _leaves(value: Json, name: str, depth: int = 0) -> Iterator[tuple[str, Json]]:
    """Everything in nested mappings, under dotted names."""
    if isinstance(value, dict) and value and depth < _DEEPEST:
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{key}", depth + 1)
    elif value is not None and value != {}:
        yield name, value
