"""How many requests to a model may be under way: as many as are wanted, until the provider says that it is too many."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque

_CALM_S = 60.0
"""So long after a refusal, what was too many is tried again: most quotas count by the minute."""


class Slots:
    """Slots to send in; ``most`` is the user's own bound.

    Each refusal takes one slot from those in use, so that after a burst as many are left as were let through. They
    grow again by one per round of answers, for a while only to just below what was too many.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = math.inf if most is None else most
        self._limit = self._ceiling = self._most
        self._used = 0
        self._shrunk_at = -math.inf
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Wait for a slot."""
        while self._used + 1 > self._limit:
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                if waiter.done() and not waiter.cancelled():
                    self._wake()  # the slot that it was woken for is another's now
                raise
        self._used += 1

    def free(self) -> None:
        """Give a slot back."""
        self._used -= 1
        self._wake()

    def shrink(self, sent_at: float) -> None:
        """A request that was sent then was refused as one too many."""
        if sent_at >= self._shrunk_at:  # else it is one of a burst of which others were refused already
            self._ceiling = self._used
        self._shrunk_at = time.monotonic()
        self._limit = max(1, int(min(self._limit, self._used)) - 1)

    def grow(self) -> None:
        """A request was answered."""
        if self._limit >= self._most:
            return
        if time.monotonic() - self._shrunk_at > _CALM_S:
            self._ceiling = self._most
        bound = max(1, min(self._ceiling - 1, self._most))
        before = int(self._limit)
        self._limit = max(self._limit, min(self._limit + 1 / self._limit, bound))
        if int(self._limit) > before:
            self._wake()

    def _wake(self) -> None:
        """Let the next one look; it waits on if there is no slot after all."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
