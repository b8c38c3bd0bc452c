"""Problems in four forms, one module each; the text form is for people and goes to stderr, the others are data."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scorerkit.model.problem import Problem
from scorerkit.report.problems import as_github, as_json, as_sarif, as_text

Render = Callable[[Sequence[Problem], Sequence[str]], str]
"""(problems in reading order, files that were looked at) → the whole output."""

FORMATS: dict[str, Render] = {
    "text": as_text.render,
    "json": as_json.render,
    "github": as_github.render,
    "sarif": as_sarif.render,
}
