"""Advice: what a right file probably did not mean. Each piece is a function over :class:`Material`, in one table.

A false warning costs more than a missing one: where a file leaves a question open, nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.check.advice import about, answers, bounds, fencing, models, scale, secrets, unused
from scorerkit.check.advice.material import Material, material_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.problem import Problem
    from scorerkit.reference import Namespace

ADVICE: dict[str, Callable[[Material], Iterator[Problem]]] = {
    "scale-mismatch": scale.scale_mismatch,
    "verdict-before-reason": answers.verdict_before_reason,
    "score-and-pass": answers.score_and_pass,
    "open-verdict": answers.open_verdict,
    "bare-rubric": answers.bare_rubric,
    "unused-judge": unused.unused_judge,
    "output-unused": unused.output_unused,
    "unused-result": unused.unused_result,
    "unused-param": unused.unused_param,
    "unfenced-data": fencing.unfenced_data,
    "temperature-without-samples": models.temperature_without_samples,
    "floating-model": models.floating_model,
    "secret-in-file": secrets.secret_in_file,
    "threshold-outside-range": bounds.threshold_outside_range,
    "no-tests": about.no_tests,
    "no-description": about.no_description,
    "deprecated-scorer": about.deprecated_scorer,
}
"""Code → who gives the advice."""


def advise(definition: Definition, namespace: Namespace) -> Iterator[Problem]:
    """All advice on a definition without errors; its includes must have been read."""
    material = material_of(definition, namespace)
    for give in ADVICE.values():
        yield from give(material)
