from __future__ import annotations

import sys
import time
from contextlib import suppress

from scorerkit.results.sinks.partial import BLOCK, EVERY, lost


class StandardOutput:
    """JSON lines on standard output, in blocks; nothing else is ever written there."""

    def __init__(self) -> None:
        self._stream = sys.stdout.buffer
        self._waiting: list[bytes] = []
        self._size = 0
        self._until = time.monotonic() + EVERY

    def write(self, line: bytes) -> None:
        """Take one result; raises ``Inconclusive`` when the reader has gone away."""
        self._waiting.append(line)
        self._size += len(line)
        if self._size > BLOCK or time.monotonic() > self._until:
            self._flush()

    def _flush(self) -> None:
        try:
            self._stream.write(b"".join(self._waiting))
            self._stream.flush()
        except BrokenPipeError:
            raise  # the boundary of the command knows what to do
        except OSError as error:
            message = "standard output"
            raise lost(message, error) from error
        finally:
            self._waiting, self._size = [], 0
            self._until = time.monotonic() + EVERY

    def finish(self) -> None:
        """Hand the rest over."""
        self._flush()

    def abort(self) -> None:
        """Hand over what there is, if anybody still reads."""
        with suppress(Exception):
            self._flush()
