"""What a template or an expression leaves open, and where it was opened: Jinja notices at the end of the text."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from jinja2.exceptions import TemplateSyntaxError

from scorerkit.template.environment import plain

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_MARKS = {"variable_begin": "}}", "block_begin": "%}", "comment_begin": "#}", "raw_begin": "{% endraw %}"}
_ENDS = ("variable_end", "comment_end", "comment", "raw_end")
_BODIES = ("if", "for", "macro", "call", "filter", "set", "with", "block", "autoescape")
"""Tags that another one closes; ``set`` only where it has no '='."""

_LATE = re.compile("end of template|Missing end of|needs to be closed")
_EARLY = re.compile(r"unexpected '.+', expected '|expected token 'end of")


class Unclosed(NamedTuple):
    """Something that waits to be closed: its line, what it is, what closes it, and the text that shows it."""

    line: int
    written: str
    close: str
    token: str


class _Opened(NamedTuple):
    line: int
    position: int
    written: str
    close: str


def unclosed(source: str, kind: Literal["template", "expression"], error: TemplateSyntaxError) -> Unclosed | None:
    """The innermost of what was open where the parser stopped, if that is what it stopped for."""
    said = error.message or ""
    if not (_LATE.search(said) or _EARLY.search(said)):
        return None
    text = "\n".join(source.splitlines())
    opened = _innermost(text, kind, error.lineno if "unknown tag" in said else None)
    if opened is None or ("expected token" in said and opened.line == error.lineno):
        return None
    return Unclosed(opened.line, opened.written, opened.close, _shown(text, opened))


def _innermost(text: str, kind: Literal["template", "expression"], until: int | None) -> _Opened | None:
    """What is open where the tokens end, or where a tag begins on the line ``until``."""
    stack = _Stack()
    position = 0
    try:
        for line, sort, value in plain().lexer.tokeniter(
            text, None, None, "variable" if kind == "expression" else None
        ):
            if sort == "block_begin" and line == until:
                break
            position = max(text.find(value, position), position)  # what is between was trimmed
            stack.read(sort, value, _Opened(line, position, value.strip(" -+\n"), ""))
            position += len(value)
    except TemplateSyntaxError:
        pass
    return stack.open[-1] if stack.open else None


class _Stack:
    def __init__(self) -> None:
        self.open: list[_Opened] = []
        self._tag: list[str] = []

    def read(self, sort: str, value: str, here: _Opened) -> None:
        if sort in _MARKS:
            self.open.append(here._replace(close=_MARKS[sort]))
            self._tag = []
        elif sort in _ENDS:
            self._close()
        elif sort == "block_end":
            self._end_tag()
        elif sort == "operator" and value in _BRACKETS:
            self.open.append(here._replace(close=_BRACKETS[value]))
        elif sort == "operator" and value in _BRACKETS.values():
            self._close()
        elif sort not in ("whitespace", "data"):
            self._tag.append(value)

    def _end_tag(self) -> None:
        begun = self._close()
        name = self._tag[0] if self._tag else ""
        if name.startswith("end"):
            self._close()
        elif begun and name in _BODIES and not (name == "set" and "=" in self._tag):
            self.open.append(begun._replace(written=f"{{% {name}", close=f"{{% end{name} %}}"))

    def _close(self) -> _Opened | None:
        return self.open.pop() if self.open else None


def _shown(text: str, opened: _Opened) -> str:
    """What to point at: a whole tag, else the rest of the line, with the name that stands before a bracket."""
    start = opened.position
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    rest = text[start:].partition("\n")[0].rstrip()
    tag, end, _ = rest.partition("%}")
    return tag + end if opened.written.startswith("{% ") else rest
