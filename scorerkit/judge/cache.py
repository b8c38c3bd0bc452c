"""Where usable answers may be kept between runs. A store satisfies this protocol; nothing here stores anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json


class Cache(Protocol):
    """Replies, as the fields of :class:`~scorerkit.judge.transport.Reply`, by request digest with the base URL."""

    async def get(self, digest: str) -> Mapping[str, Json] | None:
        """The kept reply, or None."""
        ...

    async def put(self, digest: str, model: str, reply: Mapping[str, Json]) -> None:
        """Keep a reply whose answer was usable; committed when this returns."""
        ...
