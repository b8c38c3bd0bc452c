from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from scorerkit.commands.options import project

if TYPE_CHECKING:
    from pathlib import Path


@click.command("experiments", epilog="Example: scorerkit experiments --limit 5 --scorer tone")
@click.option("--limit", type=click.IntRange(1, sys.maxsize), metavar="N", help="At most N, the latest.")
@click.option("--scorer", metavar="ID", help="Only those in which this scorer took part.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--forget", multiple=True, metavar="ID", help="Delete this experiment with its results instead.")
@project
def command(limit: int | None, scorer: str | None, as_json: bool, forget: tuple[str, ...], project: Path | None) -> int:
    """List the experiments of the project's store, the latest first: when, on what, how it ended, and the means."""
    import json
    from contextlib import closing

    from scorerkit.archive.listing import forget_all, listed, render
    from scorerkit.archive.opening import exists, open_reader
    from scorerkit.commands.words import tell
    from scorerkit.loader import open_project

    settings = open_project(project)
    if not forget and not exists(settings.store):
        click.echo("[]" if as_json else f"no experiment is kept: there is no store at {settings.store}")
        return 0
    with closing(open_reader(settings)) as reader:
        if forget:
            for name in forget_all(reader, forget):
                tell(f"the experiment {name} was forgotten")
            return 0
        entries = listed(reader, limit, scorer)
    click.echo(json.dumps(entries, indent=2, ensure_ascii=False) if as_json else render(entries), nl=as_json)
    if not entries:
        tell("no experiment is kept" + (f" in which '{scorer}' took part" if scorer else ""))
    return 0
