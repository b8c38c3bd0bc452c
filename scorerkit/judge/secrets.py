"""Keeps keys and header values out of everything that leaves the process or is stored."""

from __future__ import annotations

import json
import re
from urllib.parse import quote, urlsplit

HIDDEN = "[secret]"

_LEAST = 6
"""Shorter values are words rather than secrets; hiding each of their occurrences would garble texts."""

_SHAPES = re.compile(
    r"(?P<lead>\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{6,}"
    r"|(?P<user>://)[^\s/@]{1,400}@"
    r"|\b(?:sk|pk|rk|gsk|xai)-[A-Za-z0-9_-]{8,}",
    re.IGNORECASE,
)


class Redactor:
    """Knows the secrets of the clients that were built, in the spellings in which they may come back."""

    def __init__(self) -> None:
        self._known: tuple[str, ...] = ()

    def learn(self, *secrets: str | None) -> None:
        """Hide these from now on."""
        spelt = {form for secret in secrets if secret and len(secret) >= _LEAST for form in _spellings(secret)}
        self._known = tuple(sorted({*self._known, *spelt}, key=lambda form: (-len(form), form)))

    def learn_address(self, url: str | None) -> None:
        """Hide the user and password of an address."""
        parts = urlsplit(url or "")
        self.learn(parts.password, parts.netloc.rpartition("@")[0] or None)

    def hide(self, text: str) -> str:
        """The text without the known secrets: for answers and recordings, which must stay as they are otherwise."""
        for secret in self._known:
            if secret in text:
                text = text.replace(secret, HIDDEN)
        return text

    def scrub(self, text: str) -> str:
        """The text without known secrets and without what is shaped like one: for errors of providers."""
        return _SHAPES.sub(_masked, self.hide(text))


def _spellings(secret: str) -> set[str]:
    return {secret, secret.strip(), json.dumps(secret)[1:-1], quote(secret, safe="")}


def _masked(match: re.Match[str]) -> str:
    tail = "@" if match["user"] else ""
    return f"{match['lead'] or match['user'] or ''}{HIDDEN}{tail}"
