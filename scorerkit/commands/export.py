from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scorerkit.commands.options import project

if TYPE_CHECKING:
    from pathlib import Path


@click.command("export", epilog="Example: scorerkit export latest --output results.csv --exclude prompts")
@click.argument("experiment", metavar="ID")
@click.option("--output", multiple=True, metavar="FILE", help="Results: .jsonl, .csv, .parquet, .json, or - .")
@click.option("--emit", multiple=True, metavar="TARGET", help="Events: otlp:FILE.jsonl, or otlp:http://HOST:4318.")
@click.option("--exclude", multiple=True, metavar="WHAT", help="Leave out: prompts, judge, steps, metadata.")
@project
def command(
    experiment: str, output: tuple[str, ...], emit: tuple[str, ...], exclude: tuple[str, ...], project: Path | None
) -> int:
    """Write the results of a kept experiment to files, as 'run --output' and 'run --emit' do.

    ID is an id that 'scorerkit experiments' lists, the beginning of one, or latest. Exit code 5: it has no results.
    """
    from contextlib import closing

    from scorerkit.archive.exporting import check_written, write_out
    from scorerkit.archive.opening import open_reader
    from scorerkit.commands.words import tell
    from scorerkit.loader import open_project

    if not output and not emit:
        message = "neither --output nor --emit says where the results go"
        raise click.UsageError(message)
    settings = open_project(project)
    check_written(output, (), exclude, [settings.store], emit)
    with closing(open_reader(settings)) as reader:
        kept = reader.find(experiment)
        count = write_out((row.row.encode() for row in reader.rows(kept.number)), output, exclude, emit)
    tell(f"{count} results of the experiment {kept.id} ({kept.status})")
    return 0 if count else 5
