"""What commands say: to people on stderr, to machines on stdout."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import click

from scorerkit.report.records import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.errors import ScorerkitError
    from scorerkit.model.json import Json
    from scorerkit.model.problem import Problem

SHOWN_FAILURES = 20
SEVERITY_COLOURS = {"error": "red", "warning": "yellow"}


def show_error(error: ScorerkitError, output_format: str = "text") -> None:
    """A command's end: the problems it carries, or what, why and fix."""
    problems = getattr(error, "problems", ())
    if problems:
        show_problems(problems, sorted({problem.path for problem in problems}), output_format)
    elif error.message:  # an error without words was told already
        code = f"[{error.code}]" if error.code else ""
        tell(f"{_styled('error' + code, fg='red')}: {_plain(error.message)}")
        for word, text in (("why", error.why), ("fix", error.fix)):
            if text:
                _tell_below(word, text)


def show_problems(problems: Sequence[Problem], files: Sequence[str], output_format: str = "text") -> None:
    """Problems in one of their forms: text to stderr, data to stdout."""
    from scorerkit.report.problems import FORMATS

    text = FORMATS[output_format](problems, files)
    if output_format == "text":
        click.echo(_coloured(text), err=True, nl=False)
    else:
        click.echo(text, nl=False)


def show_briefly(problems: Sequence[Problem]) -> None:
    """The first line of each problem."""
    from scorerkit.report.problems.as_text import first_line

    for problem in problems:
        tell(_coloured(first_line(problem)))


def _coloured(text: str) -> str:
    for word, colour in SEVERITY_COLOURS.items():
        text = text.replace(f" {word}[", f" {_styled(word, fg=colour, bold=True)}[")
    return text


def _styled(text: str, **style: Any) -> str:
    """The text in colour, unless NO_COLOR (no-color.org) asks for none; click takes colours out for files and pipes."""
    return text if os.environ.get("NO_COLOR") else click.style(text, **style)


def show_failure(run_id: str, error: dict[str, Json]) -> None:
    """One failed record: its first line is stable. ``step`` of the error says which step failed, if any."""
    tell(_plain(f"run {run_id}: error[{error['code']}]: {error['message']}"))
    place = [part for part in (place_of(error.get("at")), error.get("step")) if part]
    if place:
        tell(_plain(f"  at {'  '.join(place)}"))
    for word in ("why", "fix"):
        if error.get(word):
            _tell_below(word, error[word])


def _plain(text: str) -> str:
    """One line without control characters: data must not reach into the terminal."""
    from scorerkit.report.problems.as_text import one_line

    return one_line(text.rstrip().replace("\r\n", "\n").replace("\n", "\\n"))


def _tell_below(word: str, text: str) -> None:
    """A reason or a fix. Further lines of it are marked, so that no data looks like a line of a command's own."""
    first, *lines = text.rstrip().replace("\r\n", "\n").split("\n")
    tell(_plain(f"  {word}: {first}"))
    for line in lines:
        tell(f"    | {_plain(line)}".rstrip())


def log_event(event: dict[str, Json]) -> None:
    """One event as a line of JSON on stderr."""
    click.echo(json.dumps(event, ensure_ascii=False, default=str), err=True)


def tell(text: str) -> None:
    """Say something to people."""
    click.echo(text, err=True)
