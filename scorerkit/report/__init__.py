"""What came out, for people and for machines: numbers, words, files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorerkit.errors import Inconclusive, ScorerkitError
from scorerkit.report import as_json, as_markdown, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorerkit.model.json import Json

FILES: dict[str, Callable[[dict[str, Any]], str]] = {
    ".json": as_json.render,
    ".md": as_markdown.render,
    ".txt": as_text.render,
}
"""Suffix of a ``--report`` file → what writes it."""


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


def write_report(
    name: str, summary: dict[str, Json], forms: Mapping[str, Callable[[dict[str, Any]], str]] | None = None
) -> None:
    """Write a report whole or not at all; ``forms`` are those of something else than a summary."""
    path = Path(name)
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.write_text((forms or FILES)[path.suffix.lower()](summary), "utf-8")
        partial.replace(path)
    except OSError as error:
        message = f"the report '{name}' cannot be written: {error.strerror}"
        raise Inconclusive(message) from error
