"""JSONL on standard output."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, TextIO

from scorerkit.results.blocks import BLOCK, Blocks

if TYPE_CHECKING:
    from scorerkit.results.sinks import Sink


def open_target(_target: str) -> Sink:
    """As :func:`open_sink` says."""
    return Stdout()


class Stdout(Blocks):
    """Lines are seen at once on a terminal, and in blocks elsewhere."""

    def __init__(self) -> None:
        self._stdout = sys.stdout  # while functions are called, their prints go elsewhere
        super().__init__(sys.stdout.buffer, "stdout", block=1 if sys.stdout.isatty() else BLOCK)

    def flush(self) -> None:
        try:
            super().flush()
        finally:
            if self.broken:
                _let_go(self._stdout)

    def finish(self) -> None:
        self.flush()

    def abort(self) -> None:
        if not self.broken:
            with contextlib.suppress(Exception):  # the experiment has failed already, and says why
                self.flush()


def _let_go(stdout: TextIO) -> None:
    """Point stdout at nothing, or the interpreter complains of the closed pipe when it ends."""
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stdout.fileno())
        os.close(nothing)
    except (OSError, ValueError):  # stdout is no file of the system's
        return
