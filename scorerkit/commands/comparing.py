"""The two meanings of ``diff``: experiments, and states of a scorer."""

from __future__ import annotations

import json
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorerkit.archive.comparing import compare, judged
from scorerkit.archive.directions import directions_of
from scorerkit.archive.exporting import check_written
from scorerkit.archive.parts import Parts, is_id
from scorerkit.commands.words import tell
from scorerkit.errors import ScorerkitError
from scorerkit.library import find_id, shown
from scorerkit.loader import open_project
from scorerkit.report import write_whole
from scorerkit.report.changes import render as render_changes
from scorerkit.report.comparison import FILES
from scorerkit.report.problems.masking import masked
from scorerkit.revisions.changes import changes
from scorerkit.revisions.versions import version_of

if TYPE_CHECKING:
    from scorerkit.archive.parts import Part
    from scorerkit.settings import Settings


def diff_experiments(a: str, b: str, fail: bool, reports: tuple[str, ...], as_json: bool, project: Path | None) -> int:
    """Compare, say what came out, and judge it if that is asked for."""
    settings = open_project(project)
    for name in reports:
        if Path(name).suffix.lower() not in FILES:
            message = f"the report '{name}' has no form that a comparison is written in"
            raise ScorerkitError(message, fix=f"end its name in one of {', '.join(FILES)}")
    with closing(Parts(settings)) as parts:
        sides = _opened(a, parts, settings), _opened(b, parts, settings)
        check_written((), reports, (), [side.file for side in sides])
        comparison = compare(*sides, lambda names: directions_of(names, settings))
    for name in reports:
        write_whole(name, FILES[Path(name).suffix.lower()](comparison))
    click.echo(FILES[".json" if as_json else ".txt"](comparison), nl=False)
    code, reasons = judged(comparison)
    if not fail:
        return 5 if not comparison["scorers"] else 0
    for reason in reasons:
        tell(f"exit {code}: {reason}")
    return code


def _opened(word: str, parts: Parts, settings: Settings) -> Part:
    """The side that a word means; a scorer that is not named by its file is told apart from a lost experiment."""
    name, _, revision = word.partition("@")
    if not revision or not is_id(word):
        try:
            return parts.open(word)
        except ScorerkitError as error:
            if error.code != "unknown-experiment" or find_id(name, settings) is None:
                raise
    file = find_id(name, settings)
    message = f"'{word}' names neither an experiment nor a scorer file"
    why = "a scorer is compared by its file, as PATH or PATH@REVISION"
    path = shown(file) if file is not None and file.is_relative_to(settings.root) else "PATH"
    raise ScorerkitError(message, code="unknown-experiment", why=why, fix=f"write {path}@{revision or 'REVISION'}")


def diff_scorers(a: str, b: str, as_json: bool, project: Path | None) -> int:
    """Show what changed; revisions are taken into a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="scorerkit-") as folder:
        versions = []
        for name, word in (("a", a), ("b", b)):
            own = Path(folder).resolve() / name
            own.mkdir()
            versions.append(version_of(word, project, own))
    found = changes(*versions)
    if as_json:
        click.echo(masked(json.dumps(found, indent=2, ensure_ascii=False)))
    else:
        click.echo(render_changes(found), nl=False)
    return 0
