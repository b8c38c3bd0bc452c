"""Lines to a stream in blocks: few system calls, and a crash loses half a second."""

from __future__ import annotations

import errno
import time
from typing import TYPE_CHECKING

from scorerkit.errors import Inconclusive

if TYPE_CHECKING:
    from typing import BinaryIO

BLOCK = 64 * 1024
DELAY = 0.5
"""Seconds after which the next line takes those before it along, however few they are."""


class Blocks:
    """Gathers lines for ``stream``, which must not buffer for itself. ``shown`` names it in messages."""

    def __init__(self, stream: BinaryIO, shown: str, *, block: int = BLOCK) -> None:
        self.shown = shown
        self.broken = False
        self.written = 0
        self._stream = stream
        self._block = block
        self._lines: list[bytes] = []
        self._size = 0
        self._due = time.monotonic() + DELAY

    def write(self, line: bytes) -> None:
        """Take a line.

        Raises:
            Inconclusive: this or an earlier block could not be written.
        """
        self._lines.append(line)
        self._size += len(line)
        if self._size >= self._block or time.monotonic() >= self._due:
            self.flush()

    def flush(self) -> None:
        """Hand over what was gathered.

        Raises:
            Inconclusive: it could not be written.
        """
        block = memoryview(b"".join(self._lines))
        self._lines.clear()
        self._size = 0
        self._due = time.monotonic() + DELAY
        if self.broken:
            raise self.failure(None)
        try:
            while block:
                count = self._stream.write(block)
                self.written += count
                block = block[count:]
            self._stream.flush()
        except OSError as error:
            self.broken = True
            raise self.failure(error) from None

    def failure(self, error: OSError | None) -> Inconclusive:
        """What stops an experiment whose results have nowhere to go."""
        if isinstance(error, BrokenPipeError):
            return Inconclusive(f"nobody reads {self.shown} any more: the pipe is closed")
        reason = f": {error.strerror or error}" if error else ""
        fix = "make room, then run again" if error and error.errno == errno.ENOSPC else None
        return Inconclusive(f"results can no longer be written to {self.shown}{reason}", fix=fix)
