"""What to type where a value is of the wrong kind."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from scorerkit.check.schemas import BORROWED_TYPES, TYPES
from scorerkit.model.stage import STEPS

if TYPE_CHECKING:
    from scorerkit.model.json import Json, Path

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_YES, _NO = ("yes", "on", "true", "y"), ("no", "off", "false", "n")
_TABLE = "a table"
_BRACKETS = "put it in brackets: […]"
_BOUNDS = 2
_SHORT = 40


def fix_of_kind(path: Path, words: str, error: Any) -> str | None:
    """The words that make it right, by what was written and what is wanted (``words``); None where it is a guess."""
    value = error.instance
    if isinstance(value, str):
        return _for_text(path, words, value)
    if words.startswith("text") and isinstance(value, (bool, int, float)):
        return "put it in quotes"
    if isinstance(value, dict) and words in ("a list", "an array"):
        return "begin each entry with '- '" if words == "a list" else "put it in brackets: [{…}]"
    if isinstance(value, list) and words.startswith(("a mapping", "a table")):
        return _for_list(path, words, value, error)
    return None


def fix_of_value(wanted: Json, value: Json) -> str | None:
    """As :func:`fix_of_kind`, for a value that the author's own schema refuses."""
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if not isinstance(kinds, list):
        return None
    if isinstance(value, str) and "boolean" in kinds:
        return _true_or_false(value)
    if isinstance(value, str) and {"number", "integer"} & {*kinds}:
        return _number(value)
    if "string" in kinds and isinstance(value, (bool, int, float)):
        return "put it in quotes"
    return _BRACKETS if "array" in kinds and not isinstance(value, dict) else None


def _for_text(path: Path, words: str, value: str) -> str | None:
    if len(path) == 2 and path[0] == "steps" and path[-1] in STEPS:
        return "give it a 'prompt', a 'function' or an 'expression'"
    if len(path) == 2 and path[0] == "params":
        kind = value if value in TYPES else BORROWED_TYPES.get(value.lower(), "string")
        written = f'{path[-1]} = {{type = "{kind}"}}' if words == _TABLE else f"{path[-1]}: {{type: {kind}}}"
        return f"write a JSON Schema: {written}"
    if "true or false" in words:
        return _true_or_false(value)
    if "number" in words:
        return _number(value)
    if words in ("a list", "an array") and "\n" not in value and len(value) < _SHORT:
        return f"write [{value}]" if words == "a list" else _BRACKETS
    return None


def _true_or_false(value: str) -> str | None:
    meant = "true" if value.lower() in _YES else "false" if value.lower() in _NO else None
    return f"write {meant}" if meant else None


def _number(value: str) -> str | None:
    if _NUMBER.fullmatch(value):
        return "remove the quotes"
    share = value.strip().removesuffix("%").strip()
    if value.strip().endswith("%") and _NUMBER.fullmatch(share):
        return f"write {float(share) / 100:g}"
    return None


def _for_list(path: Path, words: str, value: list[Json], error: Any) -> str | None:
    if set(error.schema.get("properties", ())) == {"min", "max"} and len(value) == _BOUNDS:
        low, high = map(json.dumps, value)
        return f"write {{min = {low}, max = {high}}}" if words == _TABLE else f"write {{min: {low}, max: {high}}}"
    if path == ("steps",):
        return "leave out the '-' before each step"
    return None
