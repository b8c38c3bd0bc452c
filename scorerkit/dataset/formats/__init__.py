"""How bytes become rows: one module per format, each with ``rows``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from scorerkit.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.dataset.feed import Feed, Row

FORMAT_OF_SUFFIX = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".parquet": "parquet",
}

_MODULES = {
    "jsonl": "json_lines",
    "json": "json_document",
    "csv": "delimited",
    "tsv": "tabbed",
    "yaml": "yaml_document",
    "parquet": "parquet_file",
}

FORMATS = tuple(_MODULES)


class FormatModule(Protocol):
    UNIT: str
    """What the numbers of rows count: ``line`` or ``record``."""
    TEXT: bool
    """Whether the bytes are UTF-8 text."""

    def rows(self, feed: Feed) -> Iterator[Row]:
        """The rows of ``feed`` in order; a row that cannot be read is a :class:`RecordError`, and reading goes on.

        Raises:
            DataError: nothing after this point can be read.
        """
        ...


def format_module(name: str) -> FormatModule:
    """The module for one of :data:`FORMATS`.

    Raises:
        DataError: there is no such format.
    """
    if name not in _MODULES:
        message = f"there is no data format '{name}'"
        raise DataError(message, code="unknown-format", fix=f"use one of {_listed(FORMATS)}")
    return cast("FormatModule", import_module(f"{__name__}.{_MODULES[name]}"))


def format_of(path: str) -> str:
    """The format that the suffix of ``path`` says, compression left aside.

    Raises:
        DataError: it says none.
    """
    name = path.rsplit("/", 1)[-1].lower()
    for packed in (".gz", ".zst"):
        name = name.removesuffix(packed)
    suffix = "." + name.rpartition(".")[2] if "." in name else ""
    if suffix not in FORMAT_OF_SUFFIX:
        known = _listed(FORMAT_OF_SUFFIX)
        fix = f"use a suffix of {known}, or say the format: --data-format jsonl"
        message = f"the name '{path}' does not say its data format"
        raise DataError(message, code="unknown-format", fix=fix)
    return FORMAT_OF_SUFFIX[suffix]


def _listed(names: object) -> str:
    return ", ".join(f"'{name}'" for name in cast("list[str]", names))
