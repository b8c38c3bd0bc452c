from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.results.sinks.partial import PartialFile

if TYPE_CHECKING:
    from pathlib import Path


class JsonFile:
    """One JSON list of all results, a result per line; streamed, whole when it has its name."""

    def __init__(self, path: Path) -> None:
        self._file = PartialFile(path)
        self._before = b"[\n"

    def write(self, line: bytes) -> None:
        """Take one result."""
        self._file.write(self._before + line.rstrip(b"\n"))
        self._before = b",\n"

    def finish(self) -> None:
        """Close the list."""
        self._file.write(b"[\n]\n" if self._before == b"[\n" else b"\n]\n")
        self._file.finish()

    def abort(self) -> None:
        """Keep the open list under the partial name."""
        self._file.abort()
