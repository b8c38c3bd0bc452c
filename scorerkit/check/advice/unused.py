"""What is declared, or paid for, and never looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import nodes

from scorerkit.model.stage import RESULT_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.check.advice.material import Material
    from scorerkit.model.problem import Problem

VERDICTS = ("not_scorable", "fail")


def unused_judge(material: Material) -> Iterator[Problem]:
    """A judge without a prompt step is never asked."""
    if material.definition.get("judge") is not None and not material.asked:
        yield material.warning(
            "unused-judge", ("judge",), "a judge is declared, and no step asks it",
            why="only steps with a 'prompt' are answered by the judge", fix="remove 'judge', or give a step a 'prompt'",
        )  # fmt: skip


def output_unused(material: Material) -> Iterator[Problem]:
    """A score that does not depend on what it scores."""
    if not material.reads("run", "output"):
        yield material.warning(
            "output-unused", ("steps", "generateScore"), "no step reads 'run.output'",
            why="the score is the same whatever was answered", fix="read 'run.output' in some step",
        )  # fmt: skip


def unused_result(material: Material) -> Iterator[Problem]:
    """A step whose result no later step, condition or function reads. Steps that only end a record are read by that."""
    for step in ("preprocess", "analyze"):
        if step not in material.steps or _ends_records(material, step):
            continue
        short = step == "analyze" and any(chain[0] == "analyzeStepResult" for chain in material.chains)
        if not short and not material.reads("results", RESULT_KEY[step]):
            yield material.warning(
                "unused-result", ("steps", step), f"nothing reads the result of {step}",
                fix=f"read 'results.{RESULT_KEY[step]}' in a later step, or remove the step",
            )  # fmt: skip


def _ends_records(material: Material, step: str) -> bool:
    path = ("steps", step, "expression")
    trees = [text.tree for text in material.texts if text.path == path]
    return any(name.name in VERDICTS for tree in trees for name in tree.find_all(nodes.Name)) or any(
        filter_.name in VERDICTS for tree in trees for filter_ in tree.find_all(nodes.Filter)
    )


def unused_param(material: Material) -> Iterator[Problem]:
    """A param that may be set and changes nothing."""
    for name in material.definition.get("params") or {}:
        if not material.reads("params", name):
            message = f"nothing reads the param '{name}'"
            fix = f"read 'params.{name}', or remove it"
            yield material.warning("unused-param", ("params", name), message, fix=fix)
