"""``streamErrorRetry``: decides whether a failed request is sent again, and how long to wait before."""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from scorerkit.judge.failure import connection_kind, is_authorisation, is_retryable_status
from scorerkit.judge.processors.patterns import compiled
from scorerkit.judge.processors.protocol import Retry

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from scorerkit.judge.failure import ProviderFailure
    from scorerkit.judge.layers import Layer

MAX_RETRY_AFTER_MS = 30_000.0

Delay = float | Callable[[int], "float | Awaitable[float]"]
"""Milliseconds, or what gives them for the number of retries so far."""


class Policy(NamedTuple):
    max_retries: int
    delay: Delay


class Matcher(NamedTuple):
    """Which further errors are sent again; a field that is None inherits the processor's."""

    matches: Callable[[Layer], bool]
    max_retries: int | None
    delay: Delay | None


class StreamErrorRetry:
    """The options are those of the contract, in camelCase; see :func:`stream_error_retry`."""

    def __init__(
        self, policy: Policy, cap_ms: float, matchers: tuple[Matcher, ...], *, unknown: bool, jitter: float
    ) -> None:
        self._policy = policy
        self._matchers = matchers
        self._unknown = unknown
        self._jitter = jitter
        self.max_retry_after_ms = cap_ms

    async def process_api_error(self, error: ProviderFailure, retry_count: int) -> Retry | None:
        policy = self._policy_for(error)
        if policy is None or retry_count >= policy.max_retries:
            return None
        told = policy.delay(retry_count) if callable(policy.delay) else policy.delay
        delay = _usable(await told if inspect.isawaitable(told) else told)
        wait = max(delay, min(error.retry_after_ms or 0.0, self.max_retry_after_ms))
        return Retry(wait * (1 + self._jitter * random.random()))  # noqa: S311 - spreads load, guards nothing

    def _policy_for(self, error: ProviderFailure) -> Policy | None:
        """The policy of the first thing in the chain that speaks for another try; None: stop."""
        denied = False
        for layer in error.chain:
            if layer.stream:
                return self._policy
            for matcher in self._matchers:
                if matcher.matches(layer):
                    return self._of(matcher)
            denied = denied or layer.should_retry is False
            if layer.should_retry or (layer.should_retry is None and _repeatable(layer)):
                return self._policy
        wanted = self._unknown and not denied and not is_authorisation(error.error)
        return self._policy if wanted else None

    def _of(self, matcher: Matcher) -> Policy:
        limit = self._policy.max_retries if matcher.max_retries is None else matcher.max_retries
        return Policy(limit, self._policy.delay if matcher.delay is None else matcher.delay)


def stream_error_retry(options: Mapping[str, Any]) -> StreamErrorRetry:
    """From ``maxRetries``, ``delayMs``, ``maxRetryAfterMs``, ``matchers``, ``retryUnknownErrors`` and ``jitter``.

    ``delayMs`` is a number or a callable that gets the number of retries so far, and may be async.
    """
    return StreamErrorRetry(
        Policy(int(options.get("maxRetries", 1)), options.get("delayMs", 0)),
        _usable(options.get("maxRetryAfterMs", MAX_RETRY_AFTER_MS)),
        tuple(_matcher(entry) for entry in options.get("matchers") or ()),
        unknown=bool(options.get("retryUnknownErrors", False)),
        jitter=_usable(options.get("jitter", 0)),
    )


def _repeatable(layer: Layer) -> bool:
    return is_retryable_status(layer.status) or (layer.status is None and connection_kind(layer.error) is not None)


def _usable(value: Any) -> float:
    """A wait in milliseconds; what is negative, not finite or no number is no wait."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if number and math.isfinite(value) and value > 0 else 0.0


def _matcher(entry: Any) -> Matcher:
    if not isinstance(entry, Mapping):
        return Matcher(_test(entry), None, None)
    tests = [_CONDITIONS[key](entry[key]) for key in _CONDITIONS if key in entry]
    return Matcher(lambda layer: all(test(layer) for test in tests), entry.get("maxRetries"), entry.get("delayMs"))


def _test(condition: Any) -> Callable[[Layer], bool]:
    """A text is a pattern over the message; a function gets the error itself."""
    if callable(condition):
        return lambda layer: bool(condition(layer.error))
    search = compiled(condition).search
    return lambda layer: search(layer.message) is not None


def _status(wanted: Any) -> Callable[[Layer], bool]:
    statuses = frozenset(wanted)
    return lambda layer: layer.status in statuses


def _code(wanted: Any) -> Callable[[Layer], bool]:
    codes = frozenset(wanted)
    return lambda layer: layer.code in codes


_CONDITIONS: dict[str, Callable[[Any], Callable[[Layer], bool]]] = {
    "match": _test,
    "status": _status,
    "code": _code,
    "function": _test,
}
