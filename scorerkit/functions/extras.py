"""Libraries that only some functions need: imported when used, and missed with a way to get them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
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
        raise _missing(extra, needed_for) from error


def data_file(package: str, name: str, extra: str, needed_for: str) -> Path:
    """A file of a package, which is found without running the package's code.

    Raises:
        RecordError: as :func:`optional`.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise _missing(extra, needed_for)
    return Path(spec.origin).parent / name


def _missing(extra: str, needed_for: str) -> RecordError:
    missing = MissingExtra(extra, needed_for)
    return RecordError("step-failed", missing.message, fix=missing.fix)
