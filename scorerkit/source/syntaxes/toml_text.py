"""TOML: the value by tomllib, places by tree-sitter when one is asked for."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING

from scorerkit.source.syntaxes.parsed import DEEPEST, TOO_DEEP, Parsed, checked
from scorerkit.source.syntaxes.toml_words import explained

if TYPE_CHECKING:
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem
    from scorerkit.source.page import Page
    from scorerkit.source.places import Spot

_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]+\s*\.\s*){{{DEEPEST}}}")
"""tomllib takes quadratic time over the parts of a dotted key."""


def parse(page: Page, base: Path = ()) -> Parsed | list[Problem]:
    """As :class:`SyntaxModule` says."""
    long_key = _LONG_KEY.search(page.text)
    if long_key:
        return [page.problem("syntax", page.place_at(long_key.start()), TOO_DEEP)]
    try:
        value = tomllib.loads(page.text)
    except tomllib.TOMLDecodeError as error:
        return explained(page, str(error))
    except RecursionError:
        return [page.problem("syntax", page.place_at(0), TOO_DEEP)]
    except ValueError:  # a whole number of more digits than Python converts
        return [page.problem("wrong-type", page.place_at(0), "a number in this file is too large")]

    @cache
    def spots() -> Spot:
        from scorerkit.source.syntaxes.toml_places import spots_of

        return spots_of(page)

    return checked(page, Parsed(value or None, spots), base)
