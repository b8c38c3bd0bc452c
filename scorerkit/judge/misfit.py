"""What is wrong with an answer that does not fit its schema, in words that the judge and the author can act on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorerkit.model.json import Json

_WORDS = {
    "object": "a JSON object",
    "array": "a list",
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}
_MAX_FAULTS = 5
_MAX_OPTIONS = 20


class Misfit(ValueError):  # noqa: N818 - says what the answer is
    """An answer that is JSON and still not usable. ``faults`` has one sentence per fault, at most five.

    ``code`` is ``unusable-answer`` or ``out-of-range``.
    """

    def __init__(self, faults: Sequence[str], code: str = "unusable-answer") -> None:
        self.faults = tuple(faults)
        self.code = code
        super().__init__("; ".join(self.faults))


def shown(value: Json) -> str:
    """A value as a message shows it: text in single quotes, all else as JSON, long ones cut."""
    text = f"'{value}'" if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:77]}…"


def place(path: Sequence[str | int]) -> str:
    """``verdicts[1].verdict``; the answer itself for the root."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    return text or "the answer"


def faults_of(errors: Any) -> list[str]:
    """Sentences for jsonschema-rs errors, in their order, each once."""
    sentences: dict[str, None] = {}
    for error in errors:
        sentences.setdefault(_sentence(error))
        if len(sentences) == _MAX_FAULTS:
            break
    return list(sentences)


def _sentence(error: Any) -> str:
    kind = error.kind
    where = place(error.instance_path)
    words = _KINDS.get(type(kind).__name__)
    return words(where, error.instance, kind) if words else f"{where}: {error.message}"


def _type(where: str, value: Json, kind: Any) -> str:
    wanted = " or ".join(words for name, words in _WORDS.items() if name in kind.types)
    return f"{where} was {shown(value)}; it must be {wanted}"


def _required(where: str, _value: Json, kind: Any) -> str:
    return f"'{kind.property}' is missing" if where == "the answer" else f"{where} has no '{kind.property}'"


def _enum(where: str, value: Json, kind: Any) -> str:
    options = ", ".join(shown(option) for option in kind.options[:_MAX_OPTIONS])
    return f"{where} was {shown(value)}; allowed: {options}"


def _branches(where: str, value: Json, kind: Any) -> str:
    """The first fault of each branch: what would have made that branch fit."""
    firsts = dict.fromkeys(_sentence(errors[0]) for errors in kind.context if errors)
    told = "; or ".join(list(firsts)[:3])
    return f"{where} was {shown(value)} and fits none of the allowed forms" + (f" ({told})" if told else "")


_KINDS: dict[str, Callable[[str, Json, Any], str]] = {
    "Type": _type,
    "Required": _required,
    "Enum": _enum,
    "AnyOf": _branches,
    "OneOfNotValid": _branches,
    "Constant": lambda where, value, kind: f"{where} was {shown(value)}; it must be {shown(kind.expected_value)}",
    "FalseSchema": lambda where, value, _kind: f"{where} has a value that is not allowed: {shown(value)}",
    "Minimum": lambda where, value, kind: f"{where} was {shown(value)}; the least is {kind.limit}",
    "Maximum": lambda where, value, kind: f"{where} was {shown(value)}; the most is {kind.limit}",
    "MinItems": lambda where, value, kind: f"{where} has {len(value)} items; at least {kind.limit} are wanted",
    "MaxItems": lambda where, value, kind: f"{where} has {len(value)} items; at most {kind.limit} are wanted",
    "Format": lambda where, value, kind: f"{where} was {shown(value)}; it must have the format '{kind.format}'",
    "Pattern": lambda where, value, kind: f"{where} was {shown(value)}; it must match {shown(kind.pattern)}",
    "AdditionalProperties": lambda where, _value, kind: (
        f"{where} has keys that are not allowed: {', '.join(shown(key) for key in kind.unexpected[:_MAX_OPTIONS])}"
    ),
}
