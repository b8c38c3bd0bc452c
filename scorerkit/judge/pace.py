"""How fast one model may be asked: slots, requests and tokens per minute, and a pause that all its requests share."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scorerkit.model.judge import Target


class Pacer:
    """For one (provider, model, address). Requests are spread evenly over the minute: no burst, then silence."""

    def __init__(self, target: Target) -> None:
        self._slots = asyncio.Semaphore(target.max_concurrency) if target.max_concurrency else None
        self._gap = 60 / target.requests_per_minute if target.requests_per_minute else 0.0
        self._per_token = 60 / target.tokens_per_minute if target.tokens_per_minute else 0.0
        self._next = 0.0
        self._held_until = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Held while a request is under way; entered when it may be sent."""
        if self._slots is None:
            await self._wait()
            yield
            return
        async with self._slots:
            await self._wait()
            yield

    def hold(self, delay_ms: float) -> None:
        """Send nothing for this long; never shortens a pause that is longer."""
        self._held_until = max(self._held_until, time.monotonic() + delay_ms / 1000)

    def spend(self, tokens: int) -> None:
        """Count tokens after a reply: with ``tokensPerMinute``, the next request waits until they are earned back."""
        if self._per_token:
            self._next = max(self._next, time.monotonic()) + tokens * self._per_token

    async def _wait(self) -> None:
        if self._gap or self._per_token:
            now = time.monotonic()
            mine = max(self._next, now)
            self._next = mine + self._gap
            if mine > now:
                await asyncio.sleep(mine - now)
        while (left := self._held_until - time.monotonic()) > 0:  # noqa: ASYNC110 - it may have been held longer since
            await asyncio.sleep(left)
