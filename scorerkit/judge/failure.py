"""A provider's failure in our words: what kind it is decides whether it is asked again and which code it gets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from scorerkit.judge.layers import Layer, body_of, get, layers

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

Kind = Literal[
    "rate-limit",
    "server",
    "timeout",
    "connection",
    "auth",
    "unknown-model",
    "rejected",
    "context-overflow",
    "refused",
    "unknown",
]

RETRYABLE_STATUS = frozenset({408, 409, 429})
"""With every status from 500: those that the AI SDK and the providers' own SDKs repeat."""

_AUTH_CODES = {"access_denied", "authentication_error", "forbidden", "invalid_api_key", "permission_denied"}
_AUTH_STATUS = {401, 403}
_OVERFLOW = (
    "context_length_exceeded",
    "maximum context length",
    "context window",
    "context length",
    "prompt is too long",
    "input is too long",
    "string_above_max_length",
)
_FILTERED = (
    "content_filter",
    "content_policy",
    "content filter",
    "content management policy",
    "content policy",
    "responsible ai",
    "moderation",
    "usage policies",
    "flagged",
)
_BAD_KEY = ("api_key_invalid", "api key not valid")
"""Google says so with HTTP 400."""

_MODEL_CODES = {"model_not_found", "not_found_error", "deploymentnotfound", "notfounderror"}
_MAX_MESSAGE = 500
_MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class ProviderFailure:
    """What went wrong with one request, free of secrets.

    Attributes:
        error: the exception as it came, for processors; never shown.
        chain: the exception and its causes.
    """

    kind: Kind
    message: str
    status: int | None = None
    code: str | None = None
    retry_after_ms: float | None = None
    should_retry: bool | None = None
    error: Any = field(default=None, repr=False)
    chain: tuple[Layer, ...] = field(default=(), repr=False)

    @property
    def told(self) -> str:
        """``HTTP 503: overloaded``, for messages."""
        return f"HTTP {self.status}: {self.message}" if self.status else self.message


def normalise(error: Any, scrub: Callable[[str], str] = str, now: datetime | None = None) -> ProviderFailure:
    """The failure behind any exception of any SDK.

    ``scrub`` takes secrets out of its message; ``now`` is what dates in Retry-After are measured against.
    """
    chain = tuple(layers(error, now))
    speaking = next((layer for layer in chain if layer.status is not None), None) or _deepest(chain)
    told = _clear_message(speaking) or type(speaking.error).__name__
    waits = (layer.retry_after_ms for layer in chain if layer.retry_after_ms is not None)
    said = (layer.should_retry for layer in chain if layer.should_retry is not None)
    return ProviderFailure(
        _kind(chain, speaking),
        scrub(told)[:_MAX_MESSAGE],
        speaking.status,
        scrub(speaking.code) if speaking.code else None,
        next(waits, None),
        next(said, None),
        error,
        chain,
    )


def _deepest(chain: tuple[Layer, ...]) -> Layer:
    """The innermost cause that says something: SDKs wrap "Server disconnected" into "Connection error"."""
    return next((layer for layer in reversed(chain) if layer.message), chain[0])


def connection_kind(error: Any) -> Kind | None:
    """Whether this is a time-out or a broken connection, by the names that SDKs give to them."""
    names = {cls.__name__ for cls in type(error).__mro__}
    if isinstance(error, TimeoutError) or any(name.endswith(("Timeout", "TimeoutError")) for name in names):
        return "timeout"
    broken = (
        *("ConnectionError", "ConnectError", "NetworkError", "ServerDisconnectedError", "RemoteProtocolError"),
        *("ClientPayloadError", "ConnectionClosedError", "HTTPClientError"),  # aiohttp, botocore
    )
    if isinstance(error, ConnectionError) or any(name.endswith(broken) for name in names):
        return "connection"
    return None


def is_retryable_status(status: int | None) -> bool:
    return status is not None and (status in RETRYABLE_STATUS or status >= 500)


def is_authorisation(value: Any, depth: int = 0) -> bool:
    """Whether an error, or anything inside it, says that the key is not accepted."""
    if value is None or depth > _MAX_DEPTH or isinstance(value, (int, float)):
        return False
    if isinstance(value, str):
        return depth > 0 and is_authorisation(_parsed(value), depth + 1)
    if any(get(value, name) in _AUTH_STATUS for name in ("status_code", "statusCode", "status", "code")):
        return True
    if any(_lower(get(value, name)) in _AUTH_CODES for name in ("code", "type")):
        return True
    inner = [get(value, name) for name in ("error", "data", "body", "responseBody", "cause", "__cause__")]
    return any(is_authorisation(item, depth + 1) for item in inner if item is not value)


def _kind(chain: tuple[Layer, ...], speaking: Layer) -> Kind:
    status = speaking.status
    if status is None:
        broken = next((kind for layer in chain if (kind := connection_kind(layer.error))), None)
        if broken:
            return broken
        return "server" if any(layer.stream for layer in chain) else "unknown"
    if status in {429, 529}:
        return "rate-limit" if status == 429 else "server"
    if status in {408, 409} or status >= 500:
        return "timeout" if status == 408 else "server"
    return _rejection(status, f"{speaking.code or ''} {_everything(speaking)}".lower(), _lower(speaking.code))


def _rejection(status: int, text: str, code: str) -> Kind:
    if status != 401 and any(mark in text for mark in _FILTERED):
        return "refused"
    if any(mark in text for mark in _OVERFLOW):
        return "context-overflow"
    if status in _AUTH_STATUS or any(mark in text for mark in _BAD_KEY):
        return "auth"
    return "unknown-model" if status == 404 or code in _MODEL_CODES else "rejected"


def _everything(layer: Layer) -> str:
    body = body_of(layer.error)
    return f"{layer.message} {json.dumps(body, default=str)[:4000] if isinstance(body, Mapping) else body or ''}"


def _clear_message(layer: Layer) -> str:
    """The provider's own sentence rather than the SDK's print of the whole body."""
    inner = get(body_of(layer.error), "message")
    text = inner if isinstance(inner, str) and inner else layer.message
    return " ".join(text.split())


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return None


def _lower(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""
