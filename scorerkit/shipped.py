"""Files that ship with the package, found alike in a wheel, an editable install and a bare checkout."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent

SCHEMAS = ("scorer", "judge", "run", "result", "summary", "project")


def folder(name: str) -> Path:
    """The folder ``schemas`` or ``scorers``: inside the installed package, else beside it in the checkout."""
    installed = _HERE / "_shipped" / name
    return installed if installed.is_dir() else _HERE.parent / name


@cache
def schema(name: str) -> dict[str, Any]:
    """A JSON Schema of this package that stands on its own: what it borrows from the scorer schema is put in."""
    found: dict[str, Any] = json.loads((folder("schemas") / f"{name}.schema.json").read_text("utf-8"))
    text = json.dumps(found)
    if "scorer.schema.json#/$defs/" not in text:
        return found
    alone: dict[str, Any] = json.loads(text.replace("scorer.schema.json#/$defs/", "#/$defs/"))
    alone["$defs"] = {**schema("scorer")["$defs"], **alone.get("$defs", {})}
    return alone
