"""Problems in four forms, one module each; the text form is for people and goes to stderr, the others are data."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scorerkit.model.problem import Problem
from scorerkit.report.problems import as_github, as_json, as_sarif, as_text
from scorerkit.report.problems.masking import hidden

Render = Callable[[Sequence[Problem], Sequence[str]], str]
"""(problems in reading order, files that were looked at) → the whole output."""


def _masking(render: Render) -> Render:
    """The same form without keys that stand in the files by mistake."""
    return lambda problems, files: render([hidden(problem) for problem in problems], files)


FORMATS: dict[str, Render] = {
    "text": _masking(as_text.render),
    "json": _masking(as_json.render),
    "github": _masking(as_github.render),
    "sarif": _masking(as_sarif.render),
}
