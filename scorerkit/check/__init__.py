"""Everything that can be said about a definition without running it. Imports no user code, asks nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.check.advice import advise
from scorerkit.check.examples import check_examples
from scorerkit.check.meaning import check_meaning, check_models
from scorerkit.check.patterns import check_patterns
from scorerkit.check.references import check_references
from scorerkit.check.schemas import check_schemas
from scorerkit.check.shape import check_shape
from scorerkit.check.templates import check_templates
from scorerkit.judge.modes import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.definition import Definition
    from scorerkit.model.problem import Problem
    from scorerkit.reference import Namespace


def check_definition(definition: Definition, namespace: Namespace, profiles: Iterable[str] = ()) -> list[Problem]:
    """All problems of a definition, in reading order; later checks wait until the shape is right."""
    problems = check_shape(definition)
    if not problems:
        problems = [
            *check_meaning(definition),
            *check_models(definition, profiles, PROVIDERS),
            *check_patterns(definition),
            *check_schemas(definition),
            *check_references(definition, namespace),
        ]
        if not any(problem.code == "bad-output-schema" for problem in problems):
            problems += check_templates(definition)
        if not any(problem.severity == "error" for problem in problems):
            problems += check_examples(definition)
            problems += advise(definition, namespace)
    return in_order(problems)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Reading order; the same code at the same place once."""
    first: dict[tuple[str, int, int, str], Problem] = {}
    for problem in problems:
        first.setdefault(problem.order, problem)
    return [first[key] for key in sorted(first)]
