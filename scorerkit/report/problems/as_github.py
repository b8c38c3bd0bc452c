"""Annotations of GitHub Actions (workflow commands)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.report.problems.masking import masked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.problem import Problem


def render(problems: Sequence[Problem], files: Sequence[str]) -> str:
    """One command per problem."""
    del files
    return "".join(f"{_command(problem)}\n" for problem in problems)


def _command(problem: Problem) -> str:
    place = problem.place
    fields = {
        "file": problem.path,
        "line": place.line,
        "col": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
        "title": f"scorerkit {problem.code}",
    }
    properties = ",".join(f"{name}={_property(value)}" for name, value in fields.items() if value is not None)
    return f"::{problem.severity} {properties}::{_data(_told(problem.message, problem.why, problem.fix))}"


def annotation(severity: str, message: str, *, why: str | None = None, fix: str | None = None, **fields: object) -> str:
    """A command for what is no problem of a file; ``fields`` are its properties, those that are None are left out."""
    named = ",".join(f"{name}={_property(masked(str(value)))}" for name, value in fields.items() if value is not None)
    return f"::{severity} {named}::{_data(masked(_told(message, why, fix)))}\n"


def _told(message: str, why: str | None, fix: str | None) -> str:
    more = (("why", why), ("fix", fix))
    return "\n".join([message, *(f"{name}: {text}" for name, text in more if text)])


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")
