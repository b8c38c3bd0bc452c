"""Limits of a whole experiment: so many requests, so much money. What is in flight is finished, nothing more begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.judge.prices import cost_of, price_of
from scorerkit.model.judge import USED_UP, JudgeError

if TYPE_CHECKING:
    from scorerkit.judge.transport import Reply, Request, Transport


class LimitedTransport:
    """Counts what is sent and what it cost, and refuses to send more than was allowed.

    ``budget`` is in USD and holds for what is known: a model without a price is refused before anything is sent.
    """

    def __init__(self, inner: Transport, max_requests: int | None = None, budget: float | None = None) -> None:
        self._inner = inner
        self._max_requests = max_requests
        self._budget = budget
        self.requests = 0
        self.spent = 0.0

    async def send(self, request: Request) -> Reply:
        """Send, if there is anything left."""
        if self._max_requests is not None and self.requests >= self._max_requests:
            message = f"{self._max_requests} requests were made (--max-requests)"
            raise JudgeError(USED_UP, message, fatal=True)
        if self._budget is not None and self.spent >= self._budget:
            message = f"{self.spent:.4f} of {self._budget:g} USD were spent (--budget)"
            raise JudgeError(USED_UP, message, fatal=True)
        if self._budget is not None and price_of(request.target) is None:
            fix = "give the profile inputPrice and outputPrice"
            message = f"--budget cannot hold: the price of {request.target.model} is not known"
            raise JudgeError("judge-rejected", message, fatal=True, fix=fix)
        self.requests += 1
        reply = await self._inner.send(request)
        if reply.recorded is None:
            cost = cost_of(request.target, reply.usage or {}, reply.cost)
            self.spent += cost["amount"] if cost else 0.0
        return reply

    async def close(self) -> None:
        """Close what is below."""
        await self._inner.close()
