"""For people: the first line is complete and clickable, then the source line, why and fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.problem import Problem


def render(problems: Sequence[Problem], files: Sequence[str]) -> str:
    """All problems and one line of count; empty where there are none."""
    if not problems:
        return ""
    return "\n".join([*(show(problem) for problem in problems), count(problems, len(files))]) + "\n"


def show(problem: Problem) -> str:
    """One problem, in the lines that design for messages asks for."""
    place = problem.place
    lines = [f"{problem.path}:{place.line}:{place.column}: {problem.severity}[{problem.code}]: {problem.message}"]
    width = max((len(str(number)) for number, _ in problem.excerpt), default=1) + 2
    for number, text in problem.excerpt:
        lines.append(f"{number:>{width + 2}} | {text}")
        if number == place.line and (marks := _marks(problem, text)):
            lines.append(f"{'':>{width + 2}} | {marks}")
    lines += [f"  see: {related.path}:{related.line}: {related.message}" for related in problem.related]
    if problem.why:
        lines.append(f"  why: {problem.why}")
    if problem.fix:
        lines.append(f"  fix: {problem.fix}")
    return "\n".join(lines)


def _marks(problem: Problem, text: str) -> str:
    place = problem.place
    start = place.column - 1
    if start > len(text):
        return ""
    end = place.end_column - 1 if place.end_column and place.end_line in (None, place.line) else len(text)
    return " " * start + "^" * max(min(end, len(text)) - start, 1)


def count(problems: Sequence[Problem], files: int) -> str:
    """``2 errors and 1 warning in 1 of 3 files``."""
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    parts = [f"{number} {word}{'s' if number != 1 else ''}" for number, word in ((errors, "error"), (warnings, "warning")) if number]
    touched = len({problem.path for problem in problems})
    total = max(files, touched)
    return f"{' and '.join(parts)} in {touched} of {total} file{'s' if total != 1 else ''}"
