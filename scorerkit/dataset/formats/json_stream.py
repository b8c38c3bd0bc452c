"""One JSON document, of which the values at a place are given one by one; the rest of it is never held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.dataset.strict_json import BAD_RECORD
from scorerkit.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.dataset.feed import Feed, Row

_BOM = b"\xef\xbb\xbf"


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
        yield from ((value, number) for number, value in enumerate(ijson.items(feed.stream, prefix), 1))
    except (ijson.JSONError, UnicodeDecodeError) as error:
        said = str(error).split("\n", 1)[0].removeprefix("parse error: ")
        message = f"'{feed.shown}' cannot be read: it is not JSON ({said})"
        raise DataError(message, code=BAD_RECORD, fix="export it again; it may have been cut off") from None
