"""For people: the first line is complete and clickable, then the source line, why and fix."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorerkit.source.page import shown_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.problem import Problem


_CONTROL = re.compile(r"[\x00-\x08\n-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def render(problems: Sequence[Problem], files: Sequence[str]) -> str:
    """All problems and one line of count; empty where there are none."""
    if not problems:
        return ""
    return "\n".join([*(show(problem) for problem in problems), count(problems, len(files))]) + "\n"


def show(problem: Problem) -> str:
    """One problem, in the lines that design for messages asks for."""
    place = problem.place
    lines = [first_line(problem)]
    width = max((len(str(number)) for number, _ in problem.excerpt), default=1) + 2
    for number, text in problem.excerpt:
        if not text.strip():
            continue
        lines.append(f"{number:>{width + 2}} | {one_line(text)}")
        if number == place.line and (marks := _marks(problem, text)):
            lines.append(f"{'':>{width + 2}} | {marks}")
    lines += [one_line(f"  see: {related.path}:{related.line}: {related.message}") for related in problem.related]
    if problem.why:
        lines.append(one_line(f"  why: {problem.why}"))
    if problem.fix:
        lines.append(one_line(f"  fix: {problem.fix}"))
    return "\n".join(lines)


def first_line(problem: Problem) -> str:
    """Place, severity, code and message: complete on its own."""
    place = f"{problem.path}:{problem.place.line}:{problem.place.column}"
    return one_line(f"{place}: {problem.severity}[{problem.code}]: {problem.message}")


def one_line(text: str) -> str:
    """Control characters of a file must not reach the terminal; each becomes one mark, so that columns stay right."""
    return _CONTROL.sub("\ufffd", text)


def _marks(problem: Problem, text: str) -> str:
    place = problem.place
    start = shown_column(place, text) - 1
    if start > len(text):
        return ""
    one_line = place.end_column and place.end_line in (None, place.line)
    end = start + place.end_column - place.column if one_line and place.end_column else len(text)
    before = re.sub(r"[^\t]", " ", text[:start])
    return before + "^" * max(min(end, len(text)) - start, 1)


def count(problems: Sequence[Problem], files: int) -> str:
    """``2 errors and 1 warning in 1 of 3 files``."""
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    counted = ((errors, "error"), (warnings, "warning"))
    parts = [f"{number} {word}{'s' if number != 1 else ''}" for number, word in counted if number]
    touched = len({problem.path for problem in problems})
    total = max(files, touched)
    return f"{' and '.join(parts)} in {touched} of {total} file{'s' if total != 1 else ''}"
