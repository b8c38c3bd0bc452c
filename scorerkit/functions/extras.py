"""Libraries that only some functions need: imported when used, and missed with a way to get them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from scorerkit.errors import MissingExtra, RecordError


def optional(module: str, extra: str, needed_for: str) -> Any:
    """The module, imported.

    Raises:
        RecordError: ``step-failed``: it is not installed; the fix names the extra that brings it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = MissingExtra(extra, needed_for)
        raise RecordError("step-failed", missing.message, fix=missing.fix) from error
