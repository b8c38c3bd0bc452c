from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scorerkit.model.json import Json


class ScorerRun(NamedTuple):
    """One record to be scored. Every field is always there; absent ones are None.

    ``fields`` of :data:`RUN_KEYS` map to the camelCase keys that files, templates and results use.
    """

    input: Json = None
    output: Json = None
    ground_truth: Json = None
    expected_trajectory: Json = None
    run_id: str | None = None
    request_context: Json = None
    metadata: Json = None

    def to_json(self) -> dict[str, Json]:
        """The run as templates and results see it; shares the values, copies nothing."""
        return {
            "input": self.input,
            "output": self.output,
            "groundTruth": self.ground_truth,
            "expectedTrajectory": self.expected_trajectory,
            "runId": self.run_id,
            "requestContext": self.request_context,
            "metadata": self.metadata,
        }


RUN_KEYS = {
    "input": "input",
    "output": "output",
    "groundTruth": "ground_truth",
    "expectedTrajectory": "expected_trajectory",
    "runId": "run_id",
    "requestContext": "request_context",
    "metadata": "metadata",
}
"""Key in files and results → field of :class:`ScorerRun`: the one table that joins the two spellings."""
