"""What a step may give: a finite number for the score, text for the reason, JSON for everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.conversion import LARGEST, describe, kind_of, to_json
from scorerkit.errors import NotScorable, RecordError

if TYPE_CHECKING:
    from scorerkit.model.json import Json


def as_score(value: Any, at: Json) -> int | float:
    """A finite number; booleans count as 1 and 0. Everything else is ``bad-score``."""
    kind = type(value)
    if kind is bool:
        return int(value)
    if kind is int or kind is float:
        if abs(value) <= LARGEST:
            return value  # type: ignore[no-any-return]
        shown = str(value) if kind is float else "a whole number that is too large"
        raise _bad(shown, "not a finite number", at)
    if isinstance(value, NotScorable):
        raise value
    number = float(value) if isinstance(value, float) else int(value) if isinstance(value, int) else _scalar(value)
    if number is not None:
        return as_score(number, at)
    raise _bad(describe(value), f"{kind_of(value)}, not a number", at)


def _scalar(value: Any) -> int | float | bool | None:
    """The Python number in a scalar of a numeric library, such as numpy's."""
    item = getattr(value, "item", None)
    if isinstance(value, (str, bytes)) or not callable(item):
        return None
    try:
        found = item()
    except (TypeError, ValueError):
        return None
    return found if isinstance(found, (int, float)) else None


def _bad(found: str, kind: str, at: Json) -> RecordError:
    why = "a score is a finite number; text and null are never one"
    return RecordError("bad-score", f"generateScore gave {found}, which is {kind}", at=at, why=why)


def as_reason(value: Any, at: Json) -> str | None:
    """Text, or None for a reason that a function left out."""
    if value is None or type(value) is str:
        return value
    if isinstance(value, str):
        return str(value)
    message = f"generateReason gave {describe(value)}, which is {kind_of(value)}, not text"
    raise RecordError("step-failed", message, at=at)


def as_result(value: Any, at: Json) -> Json:
    """Any JSON value, converted by the documented rule."""
    if isinstance(value, NotScorable):
        raise value
    try:
        return to_json(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError("step-failed", f"the result cannot be kept: {error}", at=at) from error


def convert(step: str, value: Any, at: Json) -> Json:
    """By the step that gave it."""
    if step == "generateScore":
        return as_score(value, at)
    return as_reason(value, at) if step == "generateReason" else as_result(value, at)
