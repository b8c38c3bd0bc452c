"""Processors change or refuse messages before they are sent and answers before they are read, and decide on retries.

One explicit table; anything else that a scorer names is a Python function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.judge.processors.extract_number import extract_number
from scorerkit.judge.processors.map_labels import map_labels
from scorerkit.judge.processors.max_input_characters import max_input_characters
from scorerkit.judge.processors.protocol import Kind, Refuse, Retry
from scorerkit.judge.processors.python_function import PythonProcessor
from scorerkit.judge.processors.redact import redact
from scorerkit.judge.processors.stream_error_retry import stream_error_retry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BUILDERS: dict[Kind, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "input": {"redact": redact, "maxInputCharacters": max_input_characters},
    "output": {"extractNumber": extract_number, "mapLabels": map_labels},
    "error": {"streamErrorRetry": stream_error_retry},
}


def builtin_names(kind: Kind) -> tuple[str, ...]:
    """The names that ``use`` knows for this kind of processor."""
    return tuple(_BUILDERS[kind])


def build_processor(kind: Kind, use: str | Callable[..., Any], options: Mapping[str, Any] | None = None) -> Any:
    """A processor that is ready to be called.

    Args:
        kind: where it stands: input, output or error.
        use: a built-in name, or a resolved Python function (or an object with the method of that kind).
        options: the entries of ``with``; callables in them (``delayMs``, ``function``) are already resolved.

    Raises:
        KeyError: no built-in processor of that kind has this name.
        ValueError: an option that cannot be used, such as a pattern.
    """
    if callable(use):
        return PythonProcessor(kind, use, options or {})
    return _BUILDERS[kind][use](options or {})


def default_error_processors() -> tuple[Any, ...]:
    """What a judge has that names no ``errorProcessors``: two retries, after 500 and 1000 ms."""
    return (build_processor("error", "streamErrorRetry", {"maxRetries": 2, "delayMs": lambda count: 500 * 2**count}),)


__all__ = ["Kind", "Refuse", "Retry", "build_processor", "builtin_names", "default_error_processors"]
