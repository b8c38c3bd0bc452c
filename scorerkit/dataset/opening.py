"""Files of data as streams of bytes: unpacked on the way, their encoding looked at before anything is scored."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import io
import pathlib
import stat
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast

from scorerkit.errors import DataError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEAD = 64 * 1024
"""Bytes whose encoding is looked at before anything is scored."""

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BUFFER = 1024 * 1024
_PACKED = 16 * 1024
"""Bytes that are unpacked at once: they may become thousands of times as many."""
_ZSTD = "zstd"
_SAVE = "save the data as UTF-8"


def may_be_read_twice(path: str, shown: str) -> bool:
    """Whether ``path`` is a regular file, and not a pipe that gives its content once.

    Raises:
        DataError: it cannot be read at all.
    """
    try:
        mode = pathlib.Path(path).stat().st_mode
    except FileNotFoundError:
        message = f"there is no file '{shown}'"
        raise DataError(message, code="unreadable-file", fix="name the file that is meant") from None
    except (OSError, ValueError) as error:
        message = f"'{shown}' cannot be read: {_reason(error)}"
        raise DataError(message, code="unreadable-file") from None
    if stat.S_ISDIR(mode):
        message = f"'{shown}' is a folder"
        raise DataError(message, code="unreadable-file", fix="name a file in it")
    return stat.S_ISREG(mode)


@contextlib.contextmanager
def opened(path: str, shown: str) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if its name ends with ``.gz`` or ``.zst``.

    Raises:
        DataError: the file cannot be read, at the beginning or later on.
        MissingExtra: zstandard is not installed.
    """
    try:
        with contextlib.ExitStack() as stack:
            raw = stack.enter_context(open(path, "rb", buffering=_BUFFER))  # noqa: PTH123 - a path may be '/dev/fd/63'
            yield stack.enter_context(_unpacked(raw, path, shown))
    except (OSError, EOFError) as error:
        message = f"'{shown}' cannot be read: {_reason(error)}"
        raise DataError(message, code="unreadable-file") from None


def check_encoding(head: bytes, shown: str) -> None:
    """Refuse a text that does not begin as UTF-8.

    Raises:
        DataError: with the number of the first wrong byte, from 0, and its line, from 1.
    """
    if head.startswith(UTF16) or b"\0" in head[:2]:
        message = f"'{shown}' is UTF-16, not UTF-8: byte 0, line 1"
        raise DataError(message, code="unreadable-file", fix=_SAVE)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError as error:
        line = head.count(b"\n", 0, error.start) + 1
        message = f"'{shown}' is not UTF-8: byte {error.start} (0x{head[error.start]:02x}), line {line}"
        raise DataError(message, code="unreadable-file", fix=_SAVE) from None


def _unpacked(raw: BinaryIO, path: str, shown: str) -> BinaryIO:
    if path.endswith(".gz"):
        return cast("BinaryIO", io.BufferedReader(_Unpacking(cast("BinaryIO", gzip.GzipFile(fileobj=raw))), _BUFFER))
    if path.endswith(".zst"):
        try:
            import zstandard
        except ImportError:
            raise MissingExtra(_ZSTD, f"reading '{shown}'") from None
        frames = _Frames(raw, zstandard.ZstdDecompressor().decompressobj)
        return cast("BinaryIO", io.BufferedReader(_Unpacking(frames), _BUFFER))
    return raw


class _Packed(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Frames:
    """The frames of a zstd file in turn; the library's own reader takes a file that was cut short for a whole one."""

    def __init__(self, raw: BinaryIO, new_frame: Callable[[], Any]) -> None:
        self._raw = raw
        self._new_frame = new_frame
        self._frame: Any = None
        self._packed = b""
        self._unpacked = memoryview(b"")

    def read(self, size: int, /) -> bytes:
        """Up to ``size`` bytes; none at the end. Raises EOFError where a frame is not complete."""
        while not self._unpacked:
            self._packed = self._packed or self._raw.read(_PACKED)
            if not self._packed:
                if self._frame is not None:
                    message = "it ends too early"
                    raise EOFError(message)
                return b""
            self._frame = self._frame or self._new_frame()
            self._unpacked = memoryview(self._frame.decompress(self._packed))
            self._packed = self._frame.unused_data
            if self._frame.eof:
                self._frame = None
        chunk, self._unpacked = self._unpacked[:size], self._unpacked[size:]
        return bytes(chunk)


class _Unpacking(io.RawIOBase):
    """Gives a damaged file one kind of error, whatever packed it."""

    def __init__(self, packed: _Packed) -> None:
        self._packed = packed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            chunk = self._packed.read(len(buffer))
        except Exception as error:  # each packing library has its own
            message = f"the packed data is damaged ({error})"
            raise OSError(message) from None
        buffer[: len(chunk)] = chunk
        return len(chunk)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or "it ends too early"
