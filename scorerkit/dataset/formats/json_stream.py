"""One JSON document, of which the values at a place are given one by one; the rest of it is never held."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO

from scorerkit.dataset.strict_json import BAD_RECORD
from scorerkit.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.dataset.feed import Feed, Row

_BOM = b"\xef\xbb\xbf"
_DEEPEST = 500
"""Nested values; the parser's memory grows with the square of the depth."""

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_PIECE = 256


def values(feed: Feed, prefix: str) -> Iterator[Row]:
    """The values at ``prefix``, in ijson's spelling, and which one each is, from 1; fractions are decimals.

    Raises:
        DataError: what is read is no JSON.
    """
    import ijson

    head = feed.stream.read(len(_BOM))
    if head != _BOM:
        feed.stream.seek(-len(head), 1)
    try:
        items = ijson.items(_Shallow(feed.stream, feed.shown), prefix)
        yield from ((value, number) for number, value in enumerate(items, 1))
    except (ijson.JSONError, UnicodeDecodeError) as error:
        said = str(error).split("\n", 1)[0].removeprefix("parse error: ")
        message = f"'{feed.shown}' cannot be read: it is not JSON ({said})"
        raise DataError(message, code=BAD_RECORD, fix="export it again; it may have been cut off") from None


class _Shallow:
    """The bytes of a stream as long as they nest no deeper than values do."""

    def __init__(self, stream: BinaryIO, shown: str) -> None:
        self._stream = stream
        self._shown = shown
        self._depth = 0
        self._open_text = b""

    def read(self, size: int = -1) -> bytes:
        """As of a file.

        Raises:
            DataError: values are nested too deeply.
        """
        chunk = self._stream.read(size)
        text = _TEXT.sub(b"", self._open_text + chunk)
        start = text.find(b'"')
        self._open_text = b""
        if start >= 0:  # what is inside the open text does not matter, but for a backslash at its end
            inside = text[start:]
            odd = (len(inside) - len(inside.rstrip(b"\\"))) % 2
            self._open_text, text = b'"\\' if odd else b'"', text[:start]
        self._follow(text.translate(None, _NO_BRACKETS))
        return chunk

    def _follow(self, brackets: bytes) -> None:
        for start in range(0, len(brackets), _PIECE):
            piece = brackets[start : start + _PIECE]
            opening = piece.count(b"[") + piece.count(b"{")
            if self._depth + opening > _DEEPEST and self._deepest(piece) > _DEEPEST:
                message = f"'{self._shown}' cannot be read: values are nested too deeply"
                raise DataError(message, code=BAD_RECORD)
            self._depth += 2 * opening - len(piece)

    def _deepest(self, piece: bytes) -> int:
        depth = most = self._depth
        for bracket in piece:
            depth += 1 if bracket in b"[{" else -1
            most = max(most, depth)
        return most
