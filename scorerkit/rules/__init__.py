"""What each code of a problem means: one page in Markdown per code, shipped beside this module."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_PAGES = Path(__file__).resolve().parent / "pages"


@cache
def codes() -> tuple[str, ...]:
    """Every code that has a page, in the order of the alphabet."""
    return tuple(sorted(file.stem for file in _PAGES.glob("*.md")))


def page(code: str) -> str:
    """The page of a code, as Markdown.

    Raises:
        LookupError: there is no such code.
    """
    if code not in codes():
        message = f"there is no code '{code}'"
        raise LookupError(message)
    return (_PAGES / f"{code}.md").read_text("utf-8")


def summary(code: str) -> str:
    """The first sentence of a page.

    Raises:
        LookupError: there is no such code.
    """
    text = page(code).split("\n\n", 2)[1]
    return re.split(r"(?<=[.:])\s", text, maxsplit=1)[0].rstrip(".:")
