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
        try:
            float(value)
        except ValueError:
            self.fail(f"'{value}' is not a number{self.hint(str(value))}.", param, ctx)
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"'{value}' is not a finite number.", param, ctx)
        return number

    def hint(self, value: str) -> str:  # noqa: ARG002 - kinds of numbers have hints of their own
        """What to write instead, as the end of a sentence."""
        return ""


class Score(Finite):
    """A number on the scale of a scorer's scores, which no percentage is."""

    def hint(self, value: str) -> str:
        digits = value.rstrip("%").strip()
        if not value.endswith("%") or not digits.replace(".", "", 1).isdecimal():
            return ""
        return f": write {float(digits) / 100:g}, or a number in the scorer's range"


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
