from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scorerkit.commands.options import project

if TYPE_CHECKING:
    from pathlib import Path


@click.command("report", epilog="Example: scorerkit report latest --by metadata.language --report summary.md")
@click.argument("experiment", metavar="ID")
@click.option("--by", metavar="FIELD", help="Also by the values of a field of the results, such as metadata.language.")
@click.option("--report", multiple=True, metavar="FILE", help="Write it to a file, in the forms that run writes.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@project
def command(experiment: str, by: str | None, report: tuple[str, ...], as_json: bool, project: Path | None) -> int:
    """Sum a kept experiment up again, from its results.

    ID is an id that 'scorerkit experiments' lists, the beginning of one, or latest.
    """
    from contextlib import closing

    from scorerkit.archive.exporting import check_written
    from scorerkit.archive.opening import open_reader
    from scorerkit.archive.summing import sum_up
    from scorerkit.commands.words import tell
    from scorerkit.loader import open_project
    from scorerkit.report import render, write_report

    settings = open_project(project)
    check_written((), report, (), [settings.store])
    with closing(open_reader(settings)) as reader:
        kept = reader.find(experiment)
        summary = sum_up(kept, reader.rows(kept.number), by)
    for name in report:
        write_report(name, summary)
    click.echo(render(".json" if as_json else ".txt", summary), nl=False)
    if summary["stopped"]:
        tell(f"the experiment {kept.id} is not whole: {summary['stopped']}")
    return 0
