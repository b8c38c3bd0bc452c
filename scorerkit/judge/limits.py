"""Limits of a whole experiment: so many requests, so much money. What is in flight is finished, nothing more begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorerkit.errors import ScorerkitError
from scorerkit.judge.prices import cost_of, price_of
from scorerkit.model.judge import USED_UP, JudgeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.judge.transport import Reply, Request, Transport
    from scorerkit.model.judge import Target

PRICE_IT = "give a profile of the model 'inputPrice' and 'outputPrice'"


@dataclass(slots=True)
class Limits:
    """What may be sent and spent, and what was. ``budget`` and ``spent`` are in USD; None means no limit."""

    max_requests: int | None = None
    budget: float | None = None
    requests: int = 0
    spent: float = 0.0

    def require_prices(self, targets: Iterable[Target]) -> None:
        """Refuse a budget that cannot hold, before the first record.

        Raises:
            ScorerkitError: the price of a model is not known.
        """
        if self.budget is None:
            return
        unknown = sorted({target.model for target in targets if price_of(target) is None})
        if unknown:
            raise ScorerkitError(_unpriced(", ".join(unknown)), fix=f"{PRICE_IT}, or limit the run with --max-requests")

    @property
    def used_up(self) -> str | None:
        """Why nothing more may be sent; None as long as something may."""
        if self.max_requests is not None and self.requests >= self.max_requests:
            return f"{self.max_requests} requests were made (--max-requests)"
        if self.budget is not None and self.spent >= self.budget:
            return f"{self.spent:.4f} of {self.budget:g} USD were spent (--budget)"
        return None


class LimitedTransport:
    """Counts what is sent and what it cost, and refuses to send more than was allowed.

    A budget holds for what is known: a model without a price is refused before anything is sent.
    """

    def __init__(self, inner: Transport, limits: Limits) -> None:
        self._inner = inner
        self._limits = limits

    async def send(self, request: Request) -> Reply:
        """Send, if there is anything left."""
        limits = self._limits
        if message := limits.used_up:
            raise JudgeError(USED_UP, message, fatal=True)
        if limits.budget is not None and price_of(request.target) is None:
            raise JudgeError("judge-rejected", _unpriced(request.target.model), fatal=True, fix=PRICE_IT)
        limits.requests += 1
        reply = await self._inner.send(request)
        if reply.recorded is None:
            cost = cost_of(request.target, reply.usage or {}, reply.cost)
            limits.spent += cost["amount"] if cost else 0.0
        return reply

    async def close(self) -> None:
        """Close what is below."""
        await self._inner.close()


def _unpriced(models: str) -> str:
    return f"--budget cannot hold: the price of {models} is not known"
