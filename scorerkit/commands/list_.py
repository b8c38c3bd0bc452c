from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from scorerkit.commands.options import project

if TYPE_CHECKING:
    from pathlib import Path


@click.command("list", epilog="Example: scorerkit list --tag rag")
@click.option("--tag", multiple=True, metavar="TAG", help="Only scorers with this tag.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@project
def command(tag: tuple[str, ...], as_json: bool, project: Path | None) -> int:
    """List the scorers of the project and of the library: id, where it is, what it needs, what it measures.

    The first sentence of each description; with --json all of it.
    """
    import json

    from scorerkit.commands.words import tell
    from scorerkit.errors import ScorerkitError
    from scorerkit.library import known
    from scorerkit.loader import check_file, open_project

    settings = open_project(project)
    rows = []
    places: dict[tuple[str, str], str] = {}
    for name, found in known(settings):
        if (name, found.origin) in places:
            message = f"the id '{name}' stands in {places[name, found.origin]} and {found.shown}"
            raise ScorerkitError(message, code="duplicate-id", fix="give one of them another id")
        places[name, found.origin] = found.shown
        definition = check_file(found.file, found.shown, settings).definition
        if definition is None or (tag and not set(tag) & set(definition.get("tags") or ())):
            continue
        rows.append(
            {
                "id": name,
                "origin": found.origin,
                "needs": needs(definition.value),
                "description": definition.get("description"),
                "file": found.shown,
            }
        )
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return 0
    for line in _table([(row["id"], row["origin"], row["needs"], _sentence(row["description"])) for row in rows]):
        click.echo(line)
    if not rows:
        tell("there are no scorers here; put them into 'scorers/', or name folders: library = […] in scorerkit.toml")
    return 0


def _table(rows: list[tuple[str, str, str, str]]) -> list[str]:
    """One line each, its columns aligned; on a terminal cut to its width."""
    import shutil
    import sys

    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    most = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    return [line if not most or len(line) <= most else f"{line[: most - 1]}…" for line in lines]


def _sentence(description: str | None) -> str:
    """The first sentence, on one line."""
    words = " ".join((description or "").split())
    return re.split(r"(?<=[.!?]) (?=[^a-z])", words, maxsplit=1)[0]


def needs(value: dict[str, object]) -> str:
    """What a scorer needs beside input and output: a judge, agent messages, a ground truth."""
    text = str(value.get("steps")) + str(value.get("notScorable"))
    steps = value.get("steps")
    judged = isinstance(steps, dict) and any(isinstance(step, dict) and "prompt" in step for step in steps.values())
    found = ["judge"] if judged else []
    if value.get("type") == "agent":
        found.append("messages")
    if "groundTruth" in text or "ground_truth" in text:
        found.append("groundTruth")
    return ", ".join(found) or "–"
