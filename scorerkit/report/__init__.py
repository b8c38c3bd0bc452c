"""What came out, for people and for machines: numbers, words, files."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from scorerkit.errors import Inconclusive, ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.model.json import Json

FILES: dict[str, str] = {
    ".json": "as_json",
    ".md": "as_markdown",
    ".txt": "as_text",
    ".html": "as_html",
    ".xml": "as_xml",
}
"""Suffix of a ``--report`` file → the module that writes it, which has ``render``."""


def check_report_name(name: str) -> None:
    """Refuse a report whose form or folder is not known, before anything is scored."""
    if Path(name).suffix.lower() not in FILES:
        message = f"the report '{name}' has no form that is known"
        raise ScorerkitError(message, fix=f"end its name in one of {', '.join(FILES)}")
    if not Path(name).parent.is_dir():
        message = f"there is no folder '{Path(name).parent}' to write '{name}' into"
        raise ScorerkitError(message, fix="make the folder first")
    if Path(name).is_dir():
        message = f"'{name}' is a folder"
        raise ScorerkitError(message, fix="name a file in it")


def render(suffix: str, summary: dict[str, Json]) -> str:
    """The summary in the form of one of :data:`FILES`."""
    form = cast("Callable[[dict[str, Json]], str]", import_module(f"{__name__}.{FILES[suffix]}").render)
    return form(summary)


def write_report(name: str, summary: dict[str, Json]) -> None:
    """Write a summary in the form that the name says."""
    write_whole(name, render(Path(name).suffix.lower(), summary))


def write_whole(name: str, content: str) -> None:
    """Write a report whole or not at all."""
    path = Path(name)
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.write_text(content, "utf-8")
        partial.replace(path)
    except OSError as error:
        message = f"the report '{name}' cannot be written: {error.strerror}"
        raise Inconclusive(message) from error
