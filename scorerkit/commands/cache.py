from __future__ import annotations

from pathlib import Path

import click

from scorerkit.commands.options import project


@click.command("cache", epilog="Example: scorerkit cache stats")
@click.argument("action", type=click.Choice(["stats", "clear"]))
@project
def command(action: str, project: Path | None) -> int:
    """Look at the answers of the judge that are kept in the project's store, or forget them."""
    from scorerkit.loader import open_project
    from scorerkit.store import open_database
    from scorerkit.store.answers import clear, statistics

    settings = open_project(project)
    if "://" not in settings.store and not Path(settings.store).is_file():
        click.echo(f"no answers are kept: there is no store at {settings.store}")
        return 0
    database = open_database(settings.store)
    try:
        if action == "clear":
            click.echo(f"{clear(database)} answers were forgotten")
            return 0
        found = statistics(database)
        click.echo(f"{found.answers} answers, {found.size:,} bytes, in {database.shown}")
        for model, count in found.models.items():
            click.echo(f"  {count:>8}  {model}")
    finally:
        database.close()
    return 0
