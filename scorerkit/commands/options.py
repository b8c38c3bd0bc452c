"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

from scorerkit.errors import ScorerkitError

project = click.option(
    "--project",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The project root; found from the working directory.",
)
allow_function = click.option(
    "--allow-function",
    multiple=True,
    metavar="MODULE",
    help="Let scorer files call functions of this installed module.",
)
output_format = click.option(
    "--output-format",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    help="The form of problems.",
)
params = click.option("-p", "--param", "params", multiple=True, metavar="NAME=VALUE", help="Set a param of the scorer.")


def pairs_of(option: str, words: tuple[str, ...]) -> dict[str, str]:
    """Words such as ``name=value``; the last one of a name wins.

    Raises:
        ScorerkitError: a word without a name or without ``=``.
    """
    pairs = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            message = f"{option} wants a name, '=' and a value, not '{word}'"
            raise ScorerkitError(message)
        pairs[name] = value
    return pairs
