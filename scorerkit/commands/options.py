"""Options that several commands share."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

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


class Finite(click.FloatRange):
    """A number. ``nan``, which compares false with everything and would pass every gate, and ``inf`` are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"'{value}' is not a finite number.", param, ctx)
        return number


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
