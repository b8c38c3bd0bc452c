"""Regular expressions of authors: the linear-time engine, so that no pattern and no text can hang a run."""

from __future__ import annotations

from typing import Any


def compiled(pattern: str) -> Any:
    """A google-re2 pattern.

    Raises:
        ValueError: the engine does not take it (look-around, back-references, a syntax error).
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options=options)
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        msg = f"the pattern '{pattern}' cannot be used: {text}"
        raise ValueError(msg) from None
