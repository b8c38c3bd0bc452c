"""JSON: one list, written as it grows and closed at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.results.partial import PartialFile

if TYPE_CHECKING:
    from scorerkit.results.sinks import Sink


def open_target(target: str) -> Sink:
    """As :func:`open_sink` says."""
    return JsonList(target)


class JsonList:
    """One result a line, so that the file is as easy to look through as JSONL."""

    def __init__(self, target: str) -> None:
        self._file = PartialFile(target)
        self._before = b"[\n"

    def write(self, line: bytes) -> None:
        self._file.write(self._before + line.rstrip(b"\n"))
        self._before = b",\n"

    def finish(self) -> None:
        self._file.write(b"[]\n" if self._before == b"[\n" else b"\n]\n")
        self._file.finish()

    def abort(self) -> None:
        self._file.abort()
