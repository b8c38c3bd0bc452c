"""For editors and scripts: ``{"problems": […]}`` with counts of files, errors and warnings; places count from 1."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.json import Json
    from scorerkit.model.problem import Problem


def render(problems: Sequence[Problem], files: Sequence[str]) -> str:
    """One JSON document."""
    errors = sum(problem.severity == "error" for problem in problems)
    whole = {
        "problems": [as_dict(problem) for problem in problems],
        "files": len(files),
        "errors": errors,
        "warnings": len(problems) - errors,
    }
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def as_dict(problem: Problem) -> dict[str, Json]:
    """One problem; keys without a value are left out."""
    place = problem.place
    found: dict[str, Json] = {
        "code": problem.code,
        "severity": problem.severity,
        "path": problem.path,
        "line": place.line,
        "column": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
        "message": problem.message,
        "why": problem.why,
        "fix": problem.fix,
        "related": [related._asdict() for related in problem.related] or None,
    }
    return {key: value for key, value in found.items() if value is not None}
