"""A result as an event ``gen_ai.evaluation.result`` of OpenTelemetry's semantic conventions for generative AI."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json

EVENT = "gen_ai.evaluation.result"


def evaluation_attributes(row: Mapping[str, Json]) -> dict[str, Json]:
    """The attributes of the event, of a result as ``schemas/result.schema.json`` has it.

    A failed result says its error and has no score.
    """
    found: dict[str, Json] = {"gen_ai.evaluation.name": row["scorer"].get("id")}
    if (score := row.get("score")) is not None:
        found["gen_ai.evaluation.score.value"] = float(score)
    passed = row.get("passed")
    found["gen_ai.evaluation.score.label"] = row["status"] if passed is None else "pass" if passed else "fail"
    if row.get("reason"):
        found["gen_ai.evaluation.explanation"] = row["reason"]
    if row["status"] == "failed":
        found["error.type"] = (row.get("error") or {}).get("code")
    return found
