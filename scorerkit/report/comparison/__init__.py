"""A comparison, in the forms that a summary has too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.report import as_json
from scorerkit.report.comparison import as_markdown, as_text

if TYPE_CHECKING:
    from collections.abc import Callable

FILES: dict[str, Callable[[dict[str, Any]], str]] = {
    ".json": as_json.render,
    ".md": as_markdown.render,
    ".txt": as_text.render,
}
"""Suffix of a file → what writes it."""
