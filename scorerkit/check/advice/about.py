"""What a scorer tells its readers: descriptions, tests, and that something better exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.check.advice.material import Material
    from scorerkit.model.problem import Problem


def no_tests(material: Material) -> Iterator[Problem]:
    """A scorer is code too."""
    if not material.definition.get("tests"):
        yield material.warning(
            "no-tests", ("tests",), "the scorer has no tests",
            why="a test shows what the score is meant to be, and that a change has not moved it",
            fix="add 'tests' with a run and the score to expect",
        )  # fmt: skip


def no_description(material: Material) -> Iterator[Problem]:
    """Of the scorer, and of each step that the judge answers."""
    if material.definition.get("description") is None:
        yield material.warning(
            "no-description", ("description",), "the scorer has no description",
            fix="add 'description': what is measured, and what high and low mean",
        )  # fmt: skip
    for step in material.asked:
        if material.definition.get("steps", step, "description") is None:
            message = f"{step} asks the judge and has no description"
            fix = "add 'description': what the judge is asked, in a sentence"
            yield material.warning("no-description", ("steps", step), message, fix=fix)


def deprecated_scorer(material: Material) -> Iterator[Problem]:
    """Said wherever the scorer is used."""
    instead = material.definition.get("deprecated")
    if instead is not None:
        message = f"the scorer '{material.definition.get('id')}' is deprecated: {instead}"
        yield material.warning("deprecated-scorer", ("deprecated",), message)
