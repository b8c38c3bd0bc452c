from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

import click

from scorerkit.commands.options import project
from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from pathlib import Path

    from scorerkit.settings import Settings


@click.command("new", epilog="Example: scorerkit new answers-all --from faithfulness")
@click.argument("name", metavar="ID")
@click.option(
    "--kind",
    type=click.Choice(["judge", "code", "agent"]),
    help="What it is made of: prompts (the default), expressions, or expressions over an agent's messages.",
)
@click.option("--from", "origin", metavar="SCORER", help="Copy this one, of the library or yours, with its prompts.")
@project
def command(name: str, kind: str | None, origin: str | None, project: Path | None) -> int:
    """Write a scorer with comments and tests, to change into your own; never over a file that is there.

    It goes into the project's folder of scorers: the first one of 'library' in scorerkit.toml, else 'scorers'.
    """
    from scorerkit.library import find_scorers, shown
    from scorerkit.loader import open_project
    from scorerkit.starters import copy_of, of_kind

    if kind and origin:
        message = "--kind and --from exclude each other"
        raise ScorerkitError(message, fix="leave one of them out")
    settings = open_project(project)
    _check_id(name, settings)
    files = copy_of(find_scorers([origin], settings)[0], name, settings) if origin else of_kind(kind or "judge", name)
    folder = settings.root / (settings.config.get("library") or ["scorers"])[0]
    texts = {folder / below: text for below, text in files.items()}
    _write(texts)
    for file in texts:
        click.echo(shown(file))
    _say_next(next(iter(texts)), settings)
    return 0


def _say_next(file: Path, settings: Settings) -> None:
    from scorerkit.commands.words import tell
    from scorerkit.library import shown
    from scorerkit.loader import check_file
    from scorerkit.starters import example_of

    checked = check_file(file, shown(file), settings)
    example = example_of(checked)
    words = ["scorerkit", "run", shown(file), "--data", "FILE"]
    for name, value in example.params.items():
        words += ["-p", f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"]
    words += ["--judge-model", "PROVIDER/MODEL"] if checked.unanswered else []
    tell(f"next: {shlex.join(['scorerkit', 'test', shown(file)])}")
    tell(f"      {shlex.join(words)}")
    tell(f"a line of FILE (.jsonl): {json.dumps(example.run, ensure_ascii=False)}")


def _check_id(name: str, settings: Settings) -> None:
    from scorerkit import shipped
    from scorerkit.library import known

    pattern = shipped.schema("scorer")["properties"]["id"]["pattern"]
    if not re.search(pattern, name) or {"", ".", ".."} & {*name.split("/")}:
        message = f"'{name}' is no id"
        why = "an id is made of letters, digits, '.', '_', '-' and, for folders, '/'; it is also the file's name"
        raise ScorerkitError(message, why=why)
    for other, found in known(settings):
        if other == name and found.origin == "project":
            message = f"the id '{name}' stands in {found.shown}"
            raise ScorerkitError(message, code="duplicate-id", fix="choose another id")


def _write(texts: dict[Path, str]) -> None:
    """All or none: a file that is there with another text is left alone, and so is everything else."""
    new = {file: text for file, text in texts.items() if not _is_there(file, text)}
    for file, text in new.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8", newline="\n") as opened:
                opened.write(text)
        except OSError as error:
            message = f"'{file}' cannot be written: {error.strerror}"
            raise ScorerkitError(message) from error


def _is_there(file: Path, text: str) -> bool:
    if not file.exists():
        return False
    if file.is_file() and file.read_text("utf-8", errors="replace") == text:
        return True
    message = f"'{file}' is there already, with another content"
    raise ScorerkitError(message, fix="move it away, or choose another id")
