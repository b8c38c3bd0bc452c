from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scorerkit.commands.options import project

if TYPE_CHECKING:
    from pathlib import Path

    from scorerkit.archive.merging import Merging
    from scorerkit.settings import Settings


@click.command("merge", epilog="Example: scorerkit merge one/scorerkit.db two/scorerkit.db --output results.jsonl")
@click.argument("parts", nargs=-1, required=True, metavar="PART...")
@click.option("--output", multiple=True, metavar="FILE", help="Results: .jsonl, .csv, .parquet, .json, or - .")
@click.option("--report", multiple=True, metavar="FILE", help="The summary, in the forms that run writes.")
@click.option("--exclude", multiple=True, metavar="WHAT", help="Leave out: prompts, judge, steps, metadata.")
@project
def command(
    parts: tuple[str, ...],
    output: tuple[str, ...],
    report: tuple[str, ...],
    exclude: tuple[str, ...],
    project: Path | None,
) -> int:
    """Join the parts of an experiment that 'run --shard' scored elsewhere.

    PART is an experiment of this project's store, the file of another store as PATH.db:ID (or PATH.db, for its latest),
    or a results file (.jsonl). Parts whose scorers, params or judges differ, or that overlap, are refused. Experiments
    are joined in the order of the data and noted in the store as a new one; files follow one another as given.
    """
    from contextlib import closing

    from scorerkit.archive.exporting import check_written
    from scorerkit.archive.parts import Parts
    from scorerkit.errors import ScorerkitError
    from scorerkit.loader import open_project

    settings = open_project(project)
    with closing(Parts(settings)) as opened:
        found = [opened.open(word) for word in parts]
        check_written(output, report, exclude, [part.file for part in found])
        if not output and any(part.kept is None for part in found):
            message = "nothing would be left of the merge: files are not noted in the store"
            raise ScorerkitError(message, fix="add --output FILE")
        from scorerkit.archive.agreement import Agreement
        from scorerkit.archive.directions import directions_of
        from scorerkit.archive.merging import Merging

        agreement = Agreement(found)
        count = agreement.check()
        merging = Merging(found, agreement, directions_of(agreement.first, settings))
        _warn(merging, agreement.unknown)
        _write(merging, settings, output, report, exclude)
    _say(merging, count)
    return 0 if count else 5


def _write(
    merging: Merging, settings: Settings, output: tuple[str, ...], report: tuple[str, ...], exclude: tuple[str, ...]
) -> None:
    from scorerkit.archive.exporting import write_out
    from scorerkit.archive.noting import noted
    from scorerkit.report import write_report

    if merging.kept:
        with noted(merging, settings, output) as keep:
            write_out(merging.lines(keep), output, exclude)
    else:
        write_out(merging.lines(), output, exclude)
    for name in report:
        write_report(name, merging.summary(output))


def _warn(merging: Merging, unknown: set[str]) -> None:
    from scorerkit.commands.words import tell

    for name in sorted(unknown):
        tell(f"warning: whether '{name}' is the same in all parts cannot be told: code outside of files takes part")
    if merging.kept and not merging.in_order:
        tell("warning: the parts are not of one selection of one file; they follow one another as given")
    if merging.stopped:
        tell(f"warning: {merging.stopped}")


def _say(merging: Merging, count: int) -> None:
    from scorerkit.commands.words import tell
    from scorerkit.report.as_text import numbers

    tell(numbers(merging.summary(())).rstrip("\n"))
    tell(f"{count} results" + (f"; the whole is the experiment {merging.id}" if merging.kept else ""))
