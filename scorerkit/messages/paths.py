"""Where something stands in a record, and the error that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.errors import RecordError

if TYPE_CHECKING:
    from scorerkit.model.json import Json, Path


def spelled(path: Path) -> str:
    """``output[2].content`` for ``('output', 2, 'content')``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def mismatch(path: Path, what: str, *, why: str | None = None, fix: str | None = None) -> RecordError:
    """A ``type-mismatch`` at this path; ``what`` completes the sentence that begins with the path."""
    where = spelled(path)
    return RecordError("type-mismatch", f"{where} {what}", at=where, why=why, fix=fix)


def kind(value: Json) -> str:
    """The author's word for the kind of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "text"
    if isinstance(value, (int, float)):
        return "a number"
    return "a list" if isinstance(value, list) else "a mapping"
