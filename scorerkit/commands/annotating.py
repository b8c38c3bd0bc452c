"""``run --output-format github``: what stopped or failed a run becomes an annotation of the job."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from scorerkit.commands.words import SHOWN_FAILURES
from scorerkit.errors import ScorerkitError
from scorerkit.report.as_text import plain
from scorerkit.report.problems import FORMATS
from scorerkit.report.problems.as_github import annotation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorerkit.model.json import Json
    from scorerkit.report.summary import Experiment

TITLE = "scorerkit run"


@contextmanager
def errors_annotated(options: Mapping[str, Any]) -> Iterator[None]:
    """What a run could not go on from; problems of files have places, and a form of their own."""
    try:
        yield
    except ScorerkitError as error:
        if error.message and _wanted(options):  # an error without words was told already
            problems = getattr(error, "problems", ())
            _say(FORMATS["github"](problems, ()) if problems else _error(error), options)
        raise


def _wanted(options: Mapping[str, Any]) -> bool:
    return bool(options["output_format"] == "github")


def _error(error: ScorerkitError) -> str:
    title = f"scorerkit {error.code}" if error.code else TITLE
    return annotation("error", plain(error.message), title=title, why=_plain(error.why), fix=_plain(error.fix))


def annotate_outcome(code: int, reasons: tuple[str, ...], experiment: Experiment, options: Mapping[str, Any]) -> None:
    """The reasons of the exit code, then failed records: errors where the run fails, warnings where it does not."""
    if not _wanted(options):
        return
    severity = "error" if code else "warning"
    # The service shows ten errors of a step: the reasons come first.
    told = [annotation(severity, plain(reason), title=TITLE) for reason in reasons]
    told += [_failure(severity, *failure) for failure in experiment.failures[:SHOWN_FAILURES]]
    _say("".join(told), options)


def _failure(severity: str, run_id: str, error: dict[str, Json]) -> str:
    at = error.get("at")
    place = at if isinstance(at, dict) and "path" in at else {}
    return annotation(
        severity,
        plain(f"run {run_id}: {error['message']}"),
        why=_plain(error.get("why")),
        fix=_plain(error.get("fix")),
        file=place.get("path"),
        line=place.get("line"),
        title=f"scorerkit {error['code']}",
    )


def _plain(text: str | None) -> str | None:
    return plain(text) if text else None


def _say(text: str, options: Mapping[str, Any]) -> None:
    """Where results go to standard output, they have it for themselves: the service reads both streams."""
    click.echo(text, nl=False, err="-" in options["output"])
