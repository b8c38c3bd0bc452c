"""What Jinja's parser says of code that does not parse, in words of ours, and what was probably meant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2.exceptions import TemplateSyntaxError

_FOUND = re.compile(r"(?:got|unexpected(?: char)?) (?P<quote>['\"])(?P<found>.+?)(?P=quote)")

_MEANT = {
    "=": "compare with '=='",
    "&&": "write 'and' in place of '&&'",
    "||": "write 'or' in place of '||'",
    "!": "write 'not' in place of '!'",
    "?": "write A if CONDITION else B",
    "AND": "write 'and' in small letters",
    "OR": "write 'or' in small letters",
    "NOT": "write 'not' in small letters",
    "<>": "compare with '!='",
}
"""Operators of other languages → what Jinja has for them."""

_MEANT_NAMES = {
    **dict.fromkeys(("null", "nil", "undefined", "NULL", "Null"), "write 'none'"),
    **dict.fromkeys(("TRUE", "FALSE"), "write it in small letters"),
    **{
        function: f"write it as a filter: VALUE | {name}"
        for function, name in {
            "len": "length", "size": "length", "str": "string", "int": "int", "float": "float", "sorted": "sort",
            "list": "list", "tuple": "list", "set": "unique", "reversed": "reverse", "lower": "lower", "upper": "upper",
        }.items()
    },
}  # fmt: skip
_MEANT_TESTS = {
    "null": "write 'is none'",
    "nil": "write 'is none'",
    "empty": "write 'not VALUE', or VALUE | length == 0",
}


def sentence(error: TemplateSyntaxError) -> str:
    """Jinja's first sentence, as the end of ours."""
    said = re.sub(r"unexpected char (.+) at \d+", r"unexpected \1", (error.message or "").partition(". ")[0])
    return said[:1].lower() + said[1:]


def found_in(error: TemplateSyntaxError, source: str) -> str | None:
    """What the parser stumbled over, as it stands in the source."""
    match = _FOUND.search(error.message or "")
    if match is None:
        quoted = re.search(r"'([^']+)'", error.message or "")
        return quoted[1] if quoted else None
    found = match["found"]
    # The lexer stops at the first sign of two, the parser at the second.
    return next((two for two in ("&&", "||", "<>") if found in two and two in source), found)


def syntax_fix(kind: str, source: str, error: TemplateSyntaxError) -> str | None:
    """What to write instead, where it can be told."""
    message = error.message or ""
    if kind == "expression" and source.strip().startswith("{{"):
        return "write the expression without '{{' and '}}'"
    if "unexpected '}'" in message:
        return "close the expression with '}}'"
    if kind == "template" and "unexpected end of template" in message.lower():
        return "close what is open: '}}', '%}', 'endif' or 'endfor'"
    return _MEANT.get(found_in(error, source) or "")


def fix_of_name(name: str) -> str | None:
    """What a name of another language is in Jinja."""
    return _MEANT_NAMES.get(name)


def fix_of_test(name: str) -> str | None:
    """What a test of another language is in Jinja."""
    return _MEANT_TESTS.get(name)
