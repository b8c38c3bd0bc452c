"""How fast one model may be asked: slots, requests and tokens per minute, and a pause that all its requests share."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.judge.slots import Slots

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scorerkit.model.judge import Target


_FIRST_GUESS = 200.0
"""Tokens of an answer with its reasons, until there is one to learn from."""

_FORGETTING = 0.1
"""How much the latest answer counts in the estimate of what the next one will use beyond its prompt."""


class Turn(NamedTuple):
    """When a request was sent, the tokens of its prompt by estimate, and all that were reserved for it."""

    sent_at: float
    prompt: float
    reserved: float


class Pacer:
    """For one (provider, model, address). Requests are spread evenly over the minute: no burst, then silence."""

    def __init__(self, target: Target) -> None:
        self._slots = Slots(target.max_concurrency)
        self._gap = 60 / target.requests_per_minute if target.requests_per_minute else 0.0
        self._per_token = 60 / target.tokens_per_minute if target.tokens_per_minute else 0.0
        self._beyond_prompt = _FIRST_GUESS
        self._next = 0.0
        self._held_until = 0.0

    @property
    def counts_tokens(self) -> bool:
        """Whether :meth:`turn` wants to know how long a prompt is."""
        return self._per_token > 0

    @asynccontextmanager
    async def turn(self, prompt_tokens: float = 0) -> AsyncIterator[Turn]:
        """Held while a request is under way; entered when it may be sent.

        With ``tokensPerMinute``, what it will use is reserved by estimate; :meth:`spend` corrects that.
        """
        reserved = prompt_tokens + self._beyond_prompt
        await self._admitted(reserved)
        try:
            yield Turn(time.monotonic(), prompt_tokens, reserved)
        finally:
            self._slots.free()

    def hold(self, delay_ms: float, turn: Turn | None = None) -> None:
        """After a rate limit: send nothing for this long, and then fewer at a time.

        A pause that is longer is never shortened. Waiting alone would send everybody back at the same moment.
        """
        now = time.monotonic()
        self._held_until = max(self._held_until, now + delay_ms / 1000)
        self._slots.shrink(now if turn is None else turn.sent_at)

    def spend(self, tokens: float, turn: Turn | None = None) -> None:
        """After a request: what it really used. The next one waits until all that is earned back."""
        if not self._per_token:
            return
        reserved = 0.0
        if turn is not None:
            reserved = turn.reserved
            beyond = max(0.0, tokens - turn.prompt)
            self._beyond_prompt += (beyond - self._beyond_prompt) * _FORGETTING if tokens else 0.0
        now = time.monotonic()
        self._next = max(now, max(self._next, now) + (tokens - reserved) * self._per_token)

    def answered(self) -> None:
        """A request was not refused: in time, more may be sent at once again."""
        self._slots.grow()

    async def _admitted(self, tokens: float) -> None:
        """Wait for a slot and for the pace. Nobody sits out a pause on a slot: there may be fewer after it."""
        paced = False
        while True:
            while (left := self._held_until - time.monotonic()) > 0:  # noqa: ASYNC110 - it may be held longer since
                await asyncio.sleep(left)
            await self._slots.take()
            try:
                if not paced:
                    paced = True
                    await self._pace(tokens)
            except BaseException:
                self._slots.free()
                raise
            if self._held_until <= time.monotonic():
                return
            self._slots.free()

    async def _pace(self, tokens: float) -> None:
        """Reserve the next place in the minute, and wait for it."""
        if self._gap or self._per_token:
            now = time.monotonic()
            mine = max(self._next, now)
            self._next = mine + max(self._gap, tokens * self._per_token)
            if mine > now:
                await asyncio.sleep(mine - now)
