"""TSV: as CSV, with tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.dataset.formats.delimited import separated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.dataset.feed import Feed, Row

UNIT = "line"
TEXT = True


def rows(feed: Feed) -> Iterator[Row]:
    """As :class:`FormatModule` says; numbers are the lines on which rows begin."""
    return separated(feed, "\t")
