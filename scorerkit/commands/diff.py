from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scorerkit.commands.options import project

if TYPE_CHECKING:
    from pathlib import Path


@click.command("diff", epilog="Example: scorerkit diff before.jsonl latest --fail-on regression")
@click.argument("a")
@click.argument("b")
@click.option("--fail-on", type=click.Choice(["regression"]), help="Exit 1 when B is worse than A beyond chance.")
@click.option("--report", multiple=True, metavar="FILE", help="Of experiments, also to a file: .json, .md or .txt.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@project
def command(a: str, b: str, fail_on: str | None, report: tuple[str, ...], as_json: bool, project: Path | None) -> int:
    """Compare two experiments, record by record; or a scorer with what it was.

    A and B are experiments (an id, latest, PATH.db:ID) or results files (.jsonl): pairs by run id, the mean change with
    its 95 % interval, what crossed the threshold, what failed. Or both are scorer files as PATH or PATH@REVISION: what
    changed in the definition, and whether a score can differ.

    With --fail-on regression: 1 the interval of some scorer lies wholly on the worse side, 3 inconclusive (results
    without counterpart, or failed), 5 nothing is paired.
    """
    from scorerkit.commands.comparing import diff_experiments, diff_scorers
    from scorerkit.errors import ScorerkitError
    from scorerkit.revisions.versions import is_scorer

    scorers = is_scorer(a), is_scorer(b)
    if scorers[0] != scorers[1]:
        file, other = (a, b) if scorers[0] else (b, a)
        message = f"'{file}' is a scorer file and '{other}' is none: they cannot be compared"
        fix = "name two scorer files, as PATH or PATH@REVISION, or two experiments or results files (.jsonl)"
        raise ScorerkitError(message, fix=fix)
    if not scorers[0]:
        return diff_experiments(a, b, fail_on is not None, report, as_json, project)
    if fail_on or report:
        message = f"{'--fail-on' if fail_on else '--report'} is for experiments, and '{a}' is a scorer file"
        raise ScorerkitError(message, fix="name two experiments or results files (.jsonl)")
    return diff_scorers(a, b, as_json, project)
