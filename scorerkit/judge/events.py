"""One event per request, for ``--log-json``: what was asked for whom, how it ended, how long it took. No texts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from scorerkit.judge.failure import normalise
from scorerkit.model.judge import JudgeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.judge.secrets import Redactor
    from scorerkit.judge.transport import Reply, Request, Transport


class LoggedTransport:
    """Hands an event to ``log`` after every request that was made; secrets are taken out of messages."""

    def __init__(self, inner: Transport, redactor: Redactor, log: Callable[[dict[str, Any]], None]) -> None:
        self._inner = inner
        self._redactor = redactor
        self._log = log

    async def send(self, request: Request) -> Reply:
        """Send and tell."""
        started = time.perf_counter()
        event: dict[str, Any] = {
            "event": "request",
            "runId": request.run_id,
            "step": request.step,
            "sample": request.sample,
            "model": request.target.model,
            "mode": request.mode,
        }
        try:
            reply = await self._inner.send(request)
        except JudgeError:
            raise  # nothing was sent
        except Exception as error:
            failure = normalise(error, self._redactor.scrub)
            event |= {"status": "failed", "httpStatus": failure.status, "kind": failure.kind}
            event |= {"message": failure.message, "retryAfterMs": failure.retry_after_ms}
            raise
        else:
            event |= {"status": "answered", "finishReason": reply.finish_reason, "usage": dict(reply.usage or {})}
            if reply.recorded:
                event["recorded"] = reply.recorded
            return reply
        finally:
            if "status" in event:
                event["durationMs"] = round((time.perf_counter() - started) * 1000)
                self._log(event)

    async def close(self) -> None:
        """Close what is below."""
        await self._inner.close()
