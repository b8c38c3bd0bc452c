"""The record of one generation that results keep: built up while it runs, complete also when it fails."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from scorerkit.judge.prices import cost_of

if TYPE_CHECKING:
    from scorerkit.errors import RecordError
    from scorerkit.judge.transport import Reply
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Target


class Execution:
    """Counts requests and adds up what they used.

    ``attempts`` counts every request that was made, retries and format attempts included.
    """

    __slots__ = ("_cost", "_reply", "_started", "_target", "_usage", "attempts", "cached", "prompt")

    def __init__(self, target: Target, prompt: str) -> None:
        self._target = target
        self._started = time.perf_counter()
        self._usage: dict[str, int] = {}
        self._cost: float | None = None
        self._reply: Reply | None = None
        self.attempts = 0
        self.cached = False
        self.prompt = prompt

    def add(self, reply: Reply) -> None:
        """Count a reply: its usage and cost are summed, its ending and model kept if it is the last."""
        self._reply = reply
        for name, count in (reply.usage or {}).items():
            self._usage[name] = self._usage.get(name, 0) + count
        if reply.cost is not None:
            self._cost = (self._cost or 0) + reply.cost

    def succeeded(self, output: Json) -> dict[str, Json]:
        return {"status": "success", "prompt": self.prompt, "output": output, **self._facts()}

    def failed(self, error: RecordError) -> dict[str, Json]:
        """``rawOutput`` is the last text that came back, a refusal's included."""
        reply = self._reply
        raw = {} if reply is None else {"rawOutput": reply.refusal or reply.text}
        told = f"{error.message}: {error.why}" if error.why else error.message
        shown = {"code": error.code, "name": type(error).__name__, "message": told}
        return {"status": "failed", "prompt": self.prompt, **raw, **self._facts(), "error": shown}

    def _facts(self) -> dict[str, Json]:
        reply = self._reply
        facts: dict[str, Any] = {}
        if reply is not None and reply.finish_reason:
            facts["finishReason"] = reply.finish_reason
        facts |= self._model()
        if self._usage:
            facts["usage"] = self._usage
        facts["attemptCount"] = self.attempts
        facts["durationMs"] = round((time.perf_counter() - self._started) * 1000)
        if (cost := self._priced()) is not None:
            facts["cost"] = cost
        facts["cached"] = self.cached
        if reply is not None and reply.recorded:
            facts["recorded"] = reply.recorded
            facts |= {"source": reply.source} if reply.source else {}
        return facts

    def _model(self) -> dict[str, Json]:
        """Who answered. For answers from elsewhere only what their recording says: it was not this judge."""
        reply, target = self._reply, self._target
        if reply is not None and reply.recorded == "external":
            return {"judgeModelId": reply.model} if reply.model else {}
        return {"judgeModelId": (reply.model if reply else None) or target.name, "judgeProvider": target.provider}

    def _priced(self) -> dict[str, Json] | None:
        """What was paid now: nothing is known to be paid for an answer that was kept or recorded."""
        if self._replayed():
            return None
        return cost_of(self._target, self._usage, self._cost)

    def _replayed(self) -> bool:
        return self.cached or (self._reply is not None and self._reply.recorded is not None)
