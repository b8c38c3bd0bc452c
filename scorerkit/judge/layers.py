"""An error and its causes, seen without any provider's library: what each of them says about status, code and wait."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

_MAX_LAYERS = 20
_DIGITS = re.compile(r"[0-9]+")
_NUMBERLIKE = re.compile(r"[+-]?[0-9.]+(?:e[+-]?[0-9]+)?", re.IGNORECASE)
_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?s", re.ASCII)
_STREAM_CODES = (
    "rate_limit",
    "server_error",
    "internal_error",
    "timeout",
    "temporarily_unavailable",
    "service_unavailable",
    "overloaded",
)
_INVITES_RETRY = "you can retry your request"
_MAX_WAIT_MS = 10.0**12


class Layer(NamedTuple):
    """One error of the chain.

    Attributes:
        should_retry: the provider's own word; None if it gives none.
        retry_after_ms: the provider's wait; None if it names none that can be read.
        stream: it is a stream event whose code says that the request may be repeated.
    """

    error: Any
    status: int | None
    code: str | None
    message: str
    should_retry: bool | None
    retry_after_ms: float | None
    stream: bool


def layers(error: Any, now: datetime | None = None) -> list[Layer]:
    """The error, its cause, the cause of that, and so on; a circle is walked once.

    ``now`` is what HTTP dates are measured against.
    """
    found: list[Layer] = []
    seen: set[int] = set()
    while error is not None and id(error) not in seen and len(found) < _MAX_LAYERS:
        seen.add(id(error))
        found.append(_layer(error, now))
        error = get(error, "cause") or getattr(error, "__cause__", None)
    return found


def get(value: Any, name: str) -> Any:
    """A key of a mapping, or an attribute of anything else; None if there is none."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def body_of(error: Any) -> Any:
    """The ``error`` object of a provider's answer, or the part of it that the SDK kept.

    Google's SDK calls it ``details``, boto3 has it in a mapping ``response``.
    """
    body = get(error, "body") or get(error, "details")
    if body is None and isinstance(response := get(error, "response"), Mapping):
        body = {key.lower(): value for key, value in (response.get("Error") or {}).items()}
    inner = get(body, "error") if isinstance(body, Mapping) else None
    return inner if isinstance(inner, Mapping) else body


def _layer(error: Any, now: datetime | None) -> Layer:
    headers = _headers(error)
    body = body_of(error)
    status = next((s for s in map(_integer, _status_candidates(error)) if s is not None), None)
    return Layer(
        error,
        status,
        next((c for c in _code_candidates(error, body) if isinstance(c, str)), None),
        _message(error),
        _should_retry(error, headers),
        _retry_after_ms(headers, now) or _retry_info_ms(body),
        _is_stream_error(error),
    )


def _status_candidates(error: Any) -> tuple[Any, ...]:
    response = get(error, "response")
    names = ("status_code", "statusCode", "status", "code")
    told = get(_metadata(response), "HTTPStatusCode")
    return (*(get(error, name) for name in names), get(response, "status_code"), told)


def _code_candidates(error: Any, body: Any) -> tuple[Any, ...]:
    return get(error, "code"), get(body, "code"), get(body, "type"), get(body, "status")


def _metadata(response: Any) -> Any:
    """Where boto3 keeps status and headers."""
    return response.get("ResponseMetadata") if isinstance(response, Mapping) else None


def _integer(value: Any) -> int | None:
    plausible = isinstance(value, int) and not isinstance(value, bool) and 100 <= value < 1000
    return value if plausible else None


def _message(error: Any) -> str:
    if isinstance(error, str):
        return error
    text = get(error, "message")
    if isinstance(text, str) and text:
        return text
    return str(error) if isinstance(error, BaseException) else ""


def _headers(error: Any) -> list[tuple[str, Any]]:
    """Header name in lower case → value, in the order in which they came."""
    response = get(error, "response")
    held = get(error, "responseHeaders") or get(error, "headers") or get(response, "headers")
    held = held or get(_metadata(response), "HTTPHeaders")
    items = getattr(held, "items", None)
    return [(str(name).lower(), value) for name, value in items()] if callable(items) else []


def _header(headers: list[tuple[str, Any]], name: str) -> str | None:
    value = next((value for key, value in headers if key == name), None)
    return value.strip() if isinstance(value, str) else None


def _should_retry(error: Any, headers: list[tuple[str, Any]]) -> bool | None:
    said = {"true": True, "false": False}.get((_header(headers, "x-should-retry") or "").lower())
    flags = (said, get(error, "isRetryable"), get(error, "is_retryable"))
    return next((flag for flag in flags if isinstance(flag, bool)), None)


def _retry_after_ms(headers: list[tuple[str, Any]], now: datetime | None) -> float | None:
    exact = _header(headers, "retry-after-ms") or ""
    if exact.isascii() and _DIGITS.fullmatch(exact):
        return _bounded(exact, 1)
    told = _header(headers, "retry-after") or ""
    if told.isascii() and _DIGITS.fullmatch(told):
        return _bounded(told, 1000)
    return None if _NUMBERLIKE.fullmatch(told) or not told else _until(told, now or datetime.now(UTC))


def _retry_info_ms(body: Any) -> float | None:
    """The wait in the body, where Google tells it: ``retryDelay`` of ``google.rpc.RetryInfo``, such as ``13.5s``."""
    details = get(body, "details") if isinstance(body, Mapping) else None
    for detail in details if isinstance(details, list) else ():
        told = get(detail, "retryDelay") if isinstance(detail, Mapping) else None
        if isinstance(told, str) and _SECONDS.fullmatch(told):
            return min(float(told[:-1]) * 1000, _MAX_WAIT_MS)
    return None


def _bounded(digits: str, factor: int) -> float | None:
    """Milliseconds; a number too long to be meant is no wait at all."""
    return min(float(digits) * factor, _MAX_WAIT_MS) if len(digits) <= 15 else None


def _until(date: str, now: datetime) -> float | None:
    """Milliseconds until an HTTP date (or an ISO one, which some servers send); None if it is past or no date."""
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError):
        try:
            moment = datetime.fromisoformat(date)
        except ValueError:
            return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    wait = (moment - now).total_seconds() * 1000
    return wait if wait > 0 else None


def _is_stream_error(error: Any) -> bool:
    kind = get(error, "type")
    inner = get(error, "error") if kind == "error" else None
    if kind == "response.failed":
        inner = get(get(error, "response"), "error")
    if not isinstance(inner, Mapping):
        return False
    code = next((c for c in (inner.get("code"), inner.get("type")) if isinstance(c, str)), "").lower()
    message = inner.get("message")
    invited = isinstance(message, str) and _INVITES_RETRY in message.lower()
    return invited or any(part in code for part in _STREAM_CODES)
