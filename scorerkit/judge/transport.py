"""One request to a judge and its reply, whoever carries it: a provider, a recording, or both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.judge.format import AnswerFormat
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Message, Target

Recorded = Literal["replay", "external"]

TIMEOUT_MS = 60_000
"""Of one request, where ``timeoutMs`` says nothing."""


@dataclass(frozen=True, slots=True)
class Request:
    """What one attempt asks.

    Attributes:
        native: the provider is given ``format.wire``; otherwise the messages say what is wanted.
        run_id, step, sample: whose question it is; names recordings and messages, is not sent.
        max_hold_ms: the longest that a 429 may hold back all requests to the same model.
    """

    target: Target
    messages: tuple[Message, ...]
    format: AnswerFormat | None
    native: bool
    settings: Mapping[str, Json]
    run_id: str | None
    step: str
    sample: int
    max_hold_ms: float = 30_000

    @property
    def timeout_s(self) -> float:
        return float(self.settings.get("timeoutMs", TIMEOUT_MS)) / 1000

    @property
    def mode(self) -> str:
        """How the answer is asked for: ``text``, ``native`` or ``injected``."""
        if self.format is None:
            return "text"
        return "native" if self.native else "injected"


class Reply(NamedTuple):
    """What came back, before anything is read into it.

    Attributes:
        usage: ``inputTokens``, ``outputTokens``, ``totalTokens``, ``reasoningTokens``, ``cachedInputTokens``, as far
            as they are known.
        cost: USD as the provider states it.
        recorded: where an answer that was not asked for now comes from; ``source`` as its recording names it.
    """

    text: str
    finish_reason: str | None = None
    refusal: str | None = None
    usage: Mapping[str, int] | None = None
    model: str | None = None
    cost: float | None = None
    recorded: Recorded | None = None
    source: str | None = None


class Transport(Protocol):
    """Carries requests. An exception is a failed request; it is not sent again by the transport."""

    async def send(self, request: Request) -> Reply:
        """The reply, or whatever the provider's library raises."""
        ...

    async def close(self) -> None:
        """Free connections and write what is still to be written."""
        ...
