"""Where usable answers may be kept between runs. A store satisfies this protocol; nothing here stores anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from scorerkit.judge.transport import Reply


class Cache(Protocol):
    """Replies by request digest (``recording.digest`` with the base URL)."""

    async def get(self, digest: str) -> Reply | None:
        """The kept reply, or None."""
        ...

    async def put(self, digest: str, reply: Reply) -> None:
        """Keep a reply whose answer was usable; committed when this returns."""
        ...
