"""What identifies a request: the key of recordings and of the cache."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scorerkit.judge.transport import Request

_NOT_THE_QUESTION = {"timeoutMs"}
"""Settings that change when an answer comes, and never which."""


def digest(request: Request, *, address: bool = False) -> str:
    """SHA-256 of the canonical JSON (RFC 8785) of everything the answer depends on.

    ``address``: the base URL counts too. Not in recordings, which are made in one place and replayed in another.
    """
    settings = {name: value for name, value in request.settings.items() if name not in _NOT_THE_QUESTION}
    facts: dict[str, Any] = {
        "provider": request.target.provider,
        "model": request.target.name,
        "messages": [list(message) for message in request.messages],
        "schema": request.format.schema if request.format else None,
        "mode": request.mode,
        "settings": settings,
        "sample": request.sample,
    }
    if address:
        facts["baseUrl"] = request.target.base_url
    return hashlib.sha256(_canonical(facts)).hexdigest()


def _canonical(facts: dict[str, Any]) -> bytes:
    """RFC 8785; what it cannot say (integers beyond 2**53, halves of characters) is spelt by ``json``, sorted."""
    import rfc8785

    try:
        return rfc8785.dumps(facts)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError):
        return json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()
