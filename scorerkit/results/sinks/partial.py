"""Files that get their name when they are whole, and errors of writing as one sentence."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from scorerkit.errors import Inconclusive

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

BLOCK = 1 << 16
EVERY = 0.5


def lost(shown: str, error: OSError) -> Inconclusive:
    """Results could no longer be written."""
    message = f"results can no longer be written to {shown}: {error.strerror or error}"
    return Inconclusive(message, why="what was written before is kept under the name that ends in .partial")


class PartialFile:
    """Bytes to ``PATH.partial``, in blocks and at least every half second; renamed when everything is there."""

    __slots__ = ("_blocks", "_file", "_path", "_size", "_until", "partial")

    def __init__(self, path: Path) -> None:
        self._path = path
        self.partial = path.with_name(f"{path.name}.partial")
        self._file: FileIO = self.partial.open("wb", buffering=0)
        self._blocks: list[bytes] = []
        self._size = 0
        self._until = time.monotonic() + EVERY

    def write(self, data: bytes) -> None:
        """Take bytes; raises ``Inconclusive`` when the file takes no more."""
        self._blocks.append(data)
        self._size += len(data)
        if self._size > BLOCK or time.monotonic() > self._until:
            self.flush()

    def flush(self) -> None:
        """Hand what was taken to the operating system."""
        block = memoryview(b"".join(self._blocks))
        self._blocks, self._size = [], 0
        self._until = time.monotonic() + EVERY
        try:
            while block:
                block = block[self._file.write(block) :]
        except OSError as error:
            raise lost(str(self._path), error) from error

    def finish(self) -> None:
        """Everything is there: write it through, close, give it its name."""
        self.flush()
        try:
            os.fsync(self._file.fileno())
            self._file.close()
            self.partial.replace(self._path)
        except OSError as error:
            raise lost(str(self._path), error) from error

    def abort(self) -> None:
        """Keep what there is under the partial name."""
        with suppress(OSError, Inconclusive):
            self.flush()
        with suppress(OSError):
            self._file.close()
