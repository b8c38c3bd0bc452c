"""Where results go: one module per kind of target, each with ``open_target``."""

from __future__ import annotations

import pathlib
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Callable

STDOUT = "-"

MODULE_OF_SUFFIX = {
    ".jsonl": "json_lines",
    ".ndjson": "json_lines",
    ".csv": "csv_table",
    ".json": "json_list",
    ".parquet": "parquet_file",
}


class Sink(Protocol):
    """Takes results one at a time. After :meth:`finish` or :meth:`abort` it takes no more."""

    def write(self, line: bytes, /) -> None:
        """Take one result: a line of JSON that ends in a line feed.

        Raises:
            Inconclusive: results can no longer be written.
        """
        ...

    def finish(self) -> None:
        """Make the target whole.

        Raises:
            Inconclusive: it could not be made; no file has its final name.
        """
        ...

    def abort(self) -> None:
        """Let go of the target, keeping what was written as ``PATH.partial``. Never raises."""
        ...


def open_sink(target: str) -> Sink:
    """A sink for a path, by its suffix, or for ``-``, which is JSONL on stdout.

    Raises:
        ScorerkitError: the suffix is not known, or the file cannot be made.
        MissingExtra: a library that the format needs is not installed.
    """
    module = "stdout" if target == STDOUT else MODULE_OF_SUFFIX.get(pathlib.PurePath(target).suffix.lower())
    if module is None:
        message = f"the name '{target}' does not say a format of results"
        fix = f"end it in one of {', '.join(repr(suffix) for suffix in MODULE_OF_SUFFIX)}, or write '-' for stdout"
        raise ScorerkitError(message, code="unknown-format", fix=fix)
    opener = import_module(f"{__name__}.{module}").open_target
    return cast("Callable[[str], Sink]", opener)(target)
