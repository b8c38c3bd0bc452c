"""``redact``: takes personal data out of the messages before they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.judge.processors.patterns import compiled
from scorerkit.model.judge import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_EMAIL = r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}"
_CARD = r"\b[0-9](?:[ -]?[0-9]){12,18}\b"
_PHONE = r"(?:\+|\b|\()[0-9](?:[ ().-]{0,2}[0-9]){7,14}\b"
_DATE = r"^(?:[0-9]{4}[-.][0-9]{1,2}[-.][0-9]{1,2}|[0-9]{1,2}[.-][0-9]{1,2}[.-][0-9]{4})\b"
_ADDRESS_OR_FRACTION = r"^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$|^[0-9]+\.[0-9]+$"
_LEAST_PHONE_DIGITS = 9
_CARD_DIGITS = range(13, 20)


class Redact:
    """Replaces what its patterns find by ``[email]``, ``[card]``, ``[phone]`` or ``[redacted]``, in every message."""

    def __init__(self, passes: Sequence[Callable[[str], str]]) -> None:
        self._passes = tuple(passes)

    def process_input(self, messages: Sequence[Message]) -> list[Message]:
        return [Message(message.role, self._clean(message.content)) for message in messages]

    def _clean(self, text: str) -> str:
        for clean in self._passes:
            text = clean(text)
        return text


def redact(options: Mapping[str, Any]) -> Redact:
    """From ``kinds`` (all three by default, if there are no patterns either) and ``patterns``.

    Raises:
        ValueError: a pattern that the engine does not take.
    """
    patterns = options.get("patterns") or ()
    wanted = options.get("kinds") or (() if patterns else tuple(_KINDS))
    passes = [_pass(*_KINDS[kind], label=kind) for kind in _KINDS if kind in wanted]
    return Redact([*passes, *(_pass(pattern, _always, label="redacted") for pattern in patterns)])


def _pass(pattern: str, test: Callable[[], Callable[[str], bool]], *, label: str) -> Callable[[str], str]:
    substitute, meant = compiled(pattern).sub, test()

    def clean(text: str) -> str:
        return str(substitute(lambda found: f"[{label}]" if meant(found[0]) else found[0], text))

    return clean


def _always() -> Callable[[str], bool]:
    return bool


def _card() -> Callable[[str], bool]:
    def meant(text: str) -> bool:
        digits = [int(c) for c in text if c.isdigit()]
        return len(digits) in _CARD_DIGITS and _luhn(digits)

    return meant


def _luhn(digits: list[int]) -> bool:
    """The check digit of payment cards (ISO/IEC 7812-1, annex B)."""
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _phone() -> Callable[[str], bool]:
    """A phone number rather than a date, an IP address, a fraction or a plain quantity."""
    date, address = compiled(_DATE), compiled(_ADDRESS_OR_FRACTION)

    def meant(text: str) -> bool:
        digits = sum(c.isdigit() for c in text)
        if text.startswith("+"):
            return True
        grouped = not text.isdigit() or text.startswith("0")
        return digits >= _LEAST_PHONE_DIGITS and grouped and not date.search(text) and not address.search(text)

    return meant


_KINDS: dict[str, tuple[str, Callable[[], Callable[[str], bool]]]] = {
    "email": (_EMAIL, _always),
    "card": (_CARD, _card),
    "phone": (_PHONE, _phone),
}
"""In the order in which they are applied: a card number must not be taken for a phone number."""
