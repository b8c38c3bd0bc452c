"""Regular expressions of authors and of data: the linear-time engine, so that no pattern and no text can hang a run."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from scorerkit.functions.arguments import as_text, shown
from scorerkit.functions.text import WHITESPACE

_MOST_WORK = 10**9
"""Characters times instructions that one search may take: some seconds."""
_PATTERN_PART = re.compile(
    r"""\\Q.*?(?:\\E|$)      # text that is taken as it is
    | \\.                    # an escape
    | \[:\^?\w+:\]            # a class of names, which stands in brackets
    | \[\^?\]?               # brackets begin, and may hold their own end first
    | .""",
    re.DOTALL | re.VERBOSE,
)


def regex_search(text: str, pattern: str) -> str | None:
    r"""The first stretch of the text that the pattern matches, or null; in time linear in the text.

    The syntax is RE2's (``(?i)`` in front ignores case): no look-around, no back-references. ``\s`` is all white
    space of Unicode, and ``\S`` outside brackets everything else.

    Raises:
        ValueError: ``bad-pattern``, something that is not text, or a long text for a pattern with large repetitions.
    """
    where = as_text("regex_search", text)
    compiled = _compiled(as_text("regex_search", pattern))
    if compiled.programsize * len(where) > _MOST_WORK:
        message = f"regex_search: a text of {len(where):,} characters is too long for a pattern of this size"
        raise ValueError(message)
    found = compiled.search(where)
    return None if found is None else str(found.group(0))


def _with_wide_space(pattern: str) -> str:
    r"""The pattern with ``\s`` spelt out: the engine's own is that of ASCII, which no-break spaces are not."""
    brackets = False
    parts: list[str] = []
    for match in _PATTERN_PART.finditer(pattern):
        part = match.group()
        if part == "\\s":
            parts.append(WHITESPACE if brackets else f"[{WHITESPACE}]")
        elif part == "\\S" and not brackets:
            parts.append(f"[^{WHITESPACE}]")
        else:
            brackets = brackets if part.startswith("[:") else part[0] == "[" or (brackets and part != "]")
            parts.append(part)
    return "".join(parts)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    """A pattern is compiled once for all records; re2's own cache is smaller and logs what it refuses."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(_with_wide_space(pattern), options)
    except re2.error as error:
        why = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        message = f"bad-pattern: {shown(pattern)} is not a pattern of the linear-time engine: {why}"
        raise ValueError(message) from None
