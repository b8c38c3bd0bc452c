"""One result as one line of JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.result import ScorerResult
    from scorerkit.model.run import ScorerRun

PROMPTS = ("preprocessPrompt", "analyzePrompt", "generateScorePrompt", "generateReasonPrompt")
INCLUDABLE = ("run",)
EXCLUDABLE = ("prompts", "judge", "steps", "metadata")
STEPS = ("preprocessStepResult", "analyzeStepResult", "generateScoreStepResult", "judgeOutput")


class RowMaker:
    """Makes the lines of one experiment: whole ones to keep, and from them what outputs show."""

    def __init__(
        self, experiment_id: str, include: frozenset[str] = frozenset(), exclude: frozenset[str] = frozenset()
    ) -> None:
        self._experiment = experiment_id
        self._include_run = "run" in include
        self._drop = [
            *(PROMPTS if "prompts" in exclude else ()),
            *(STEPS if "steps" in exclude else ()),
            *(name for name in ("judge", "metadata") if name in exclude),
        ]
        self._thin_judge = "prompts" in exclude
        self._as_it_is = not (self._include_run or self._drop)

    def line(self, result: ScorerResult) -> bytes:
        """Everything: strict JSON, strict UTF-8, ending in a line feed."""
        row = result.to_dict()
        row["experimentId"] = self._experiment
        return serialise(row)

    def shown(self, line: bytes, run: ScorerRun | None) -> bytes:
        """The line as outputs have it: with what is included, without what is excluded."""
        if self._as_it_is:
            return line
        row = json.loads(line)
        if self._include_run and run is not None:
            row["run"] = run.to_json()
        for name in self._drop:
            row.pop(name, None)
        if self._thin_judge and "judge" in row:
            row["judge"] = {
                step: {
                    "executions": [
                        {key: item for key, item in one.items() if key != "prompt"} for one in found["executions"]
                    ]
                }
                for step, found in row["judge"].items()
            }
        return serialise(row)


def serialise(row: Json) -> bytes:
    """Orjson where it can; whole numbers beyond 64 bits and broken characters take the slow way."""
    try:
        return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
    except (TypeError, ValueError):
        text = json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode() + b"\n"
