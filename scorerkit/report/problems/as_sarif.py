"""SARIF 2.1.0 (OASIS), for code scanning."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.json import Json
    from scorerkit.model.problem import Place, Problem, Related

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(problems: Sequence[Problem], files: Sequence[str]) -> str:
    """One log with one run."""
    codes = sorted({problem.code for problem in problems})
    run = {
        "tool": {"driver": {"name": "scorerkit", "rules": [{"id": code} for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": _location(path)} for path in files],
        "results": [_result(problem, codes) for problem in problems],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _result(problem: Problem, codes: list[str]) -> dict[str, Json]:
    text = ". ".join(part for part in (problem.message, problem.why, problem.fix) if part)
    found: dict[str, Json] = {
        "ruleId": problem.code,
        "ruleIndex": codes.index(problem.code),
        "level": problem.severity,
        "message": {"text": text},
        "locations": [
            {"physicalLocation": {"artifactLocation": _location(problem.path), "region": _region(problem.place)}}
        ],
    }
    if problem.related:
        found["relatedLocations"] = [_related(related) for related in problem.related]
    return found


def _related(related: Related) -> dict[str, Json]:
    place = {"artifactLocation": _location(related.path), "region": {"startLine": related.line}}
    return {"physicalLocation": place, "message": {"text": related.message}}


def _location(path: str) -> dict[str, Json]:
    return {"uri": quote(path)}


def _region(place: Place) -> dict[str, Json]:
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {key: value for key, value in region.items() if value is not None}
