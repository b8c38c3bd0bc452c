"""The stages of the pipeline, their order, and the names that exist in each."""

from __future__ import annotations

STEPS = ("preprocess", "analyze", "generateScore", "generateReason")
"""The four steps, in the only order in which they run."""

PREPARE = "prepareRun"
"""``failedStep`` of a record whose ``prepareRun`` failed."""

RESULT_KEY = {step: f"{step}StepResult" for step in STEPS}
PROMPT_KEY = {step: f"{step}Prompt" for step in STEPS}


def results_known_in(step: str) -> tuple[str, ...]:
    """The names under ``results`` that exist when ``step`` runs."""
    return tuple(RESULT_KEY[earlier] for earlier in STEPS[: STEPS.index(step)])
