"""What the YAML parser objects to, in words that say what to type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from scorerkit.model.problem import Place
from scorerkit.source.syntaxes.format_keys import is_key, is_mapping
from scorerkit.source.syntaxes.parsed import TOO_DEEP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorerkit.model.problem import Problem
    from scorerkit.source.page import Page

_KEY = re.compile(r"[ ]*(?:- +)*(?P<key>[^\s#'\"-][^:]*|'[^']*'|\"[^\"]*\"):(?: |$)")
_FIRST_WORD = re.compile(r" *(?P<key>[A-Za-z]+)(?: +[^\s:].*)?$")
_IN_QUOTES = "put the value in quotes"


class Words(NamedTuple):
    place: Place
    message: str
    why: str | None = None
    fix: str | None = None


class _Trouble(NamedTuple):
    """Where the parser stopped, where what it was reading had begun, and its own words for both."""

    page: Page
    place: Place
    began: Place
    said: str

    @property
    def line(self) -> str:
        return self.page.line(self.place.line)

    @property
    def character(self) -> str:
        return self.line[self.place.column - 1 : self.place.column]

    @property
    def before(self) -> str:
        return self.line[: self.place.column - 1].rstrip()


def explained(page: Page, error: Any) -> Problem:
    """One problem of code ``syntax`` for an error of PyYAML's scanner, parser or composer."""
    place = _place(error.problem_mark) if error.problem_mark else Place()
    began = _place(error.context_mark) if error.context_mark else place
    trouble = _Trouble(page, place, began, f"{error.context or ''}: {error.problem or ''}")
    words = _tab(trouble) or _forgotten_colon(trouble) or _words(trouble)
    return page.problem("syntax", words.place, words.message, why=words.why, fix=words.fix)


def _place(mark: Any) -> Place:
    return Place(mark.line + 1, mark.column + 1)


def _words(trouble: _Trouble) -> Words:
    for said, explain in _EXPLANATIONS:
        if said in trouble.said:
            words = explain(trouble)
            if words:
                return words
    said = trouble.said.removeprefix(": ").strip()
    return Words(trouble.place, f"this is not valid YAML: {said}")


def _tab(trouble: _Trouble) -> Words | None:
    for number in (trouble.place.line, trouble.began.line):
        line = trouble.page.line(number)
        indentation = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in indentation:
            place = Place(number, indentation.index("\t") + 1)
            return Words(place, "a tab is used as indentation", "YAML indents with spaces only", "use spaces")
    if trouble.character == "\t":
        return Words(trouble.place, "a tab stands where only spaces may", fix="replace the tab by a space")
    return None


def _forgotten_colon(trouble: _Trouble) -> Words | None:
    """A line that begins with a key of the format and has no ':' after it; the parser may notice on the next line."""
    if not any(said in trouble.said for said in ("mapping values are not allowed", "could not find expected ':'")):
        return None
    above = _line_above(trouble)
    candidates = [trouble.began.line, *([above[0]] if above and not _continues(trouble.page, above[0]) else [])]
    for number in candidates:
        text = trouble.page.line(number)
        word = _FIRST_WORD.match(text)
        if word and is_key(word["key"]) and _indentation(text) <= _indentation(trouble.line):
            start = _indentation(text) + 1
            place = Place(number, start, number, start + len(word["key"]))
            return Words(place, f"there is no ':' after '{word['key']}'", fix=f"write '{word['key']}:'")
    return None


def _continues(page: Page, number: int) -> bool:
    """Whether a line may be more of a text that began on the line of a key above it."""
    for above in range(number - 1, 0, -1):
        line = page.line(above)
        if line.strip() and _indentation(line) < _indentation(page.line(number)):
            key = _KEY.match(line)
            return key is not None and bool(line[key.end() :].strip())
    return False


def _second_colon(trouble: _Trouble) -> Words:
    message = "a second ':' where a value was expected"
    above = _line_above(trouble)
    extra = _indentation(trouble.line) - _indentation(above[1]) if above else 0
    key = _KEY.match(above[1]) if above else None
    own = _KEY.match(trouble.line)
    if above and re.match(r"\s*[\w-]+:[^\s/:]", above[1]):
        return Words(Place(above[0], above[1].index(":") + 1), "there is no space after ':'", fix="write one")
    if above and key and extra > 0 and own and own.end() >= trouble.place.column:
        why = f"this line is indented more than '{key['key']}' above it, so it continues that value"
        spaces = "the space" if extra == 1 else f"the {_count(extra)} spaces"
        return Words(trouble.place, message, why, f"remove {spaces} at the start")
    return Words(trouble.place, message, "': ' inside a value begins another mapping", _IN_QUOTES)


def _no_colon(trouble: _Trouble) -> Words:
    place = trouble.began
    fix = "write 'key: value'; a line that continues the text above must be indented deeper than its key"
    text = trouble.page.line(place.line)
    if re.match(r"\s*[\w-]+:\S", text):
        return Words(place, "there is no space after ':'", fix="write a space after the ':'")
    return Words(place, "this line has no ':'", "where a mapping has begun, every line holds a key and a value", fix)


def _unclosed_quote(trouble: _Trouble) -> Words:
    quote = trouble.page.line(trouble.began.line)[trouble.began.column - 1 : trouble.began.column]
    fix = "close it; inside single quotes write '' for an apostrophe" if quote == "'" else "close it"
    return Words(trouble.began, f"the quote {quote} that opens here is never closed", fix=fix)


def _unclosed_bracket(trouble: _Trouble) -> Words:
    bracket = trouble.page.line(trouble.began.line)[trouble.began.column - 1 : trouble.began.column]
    close = {"[": "]", "{": "}"}.get(bracket, "]")
    why = f"line {trouble.place.line} is where the parser noticed it"
    return Words(
        trouble.began,
        f"the '{bracket}' that opens here is not closed, or a ',' is missing after it",
        why if trouble.place.line != trouble.began.line else None,
        f"close it with '{close}', put ',' between its entries, or put the value in quotes if it is text",
    )


def _cannot_begin(trouble: _Trouble) -> Words:
    if trouble.character == "%" and trouble.before.endswith("{"):
        place = Place(trouble.place.line, len(trouble.before), trouble.place.line, len(trouble.before) + 2)
        return Words(
            place,
            "a value that begins with '{%' must be in quotes",
            "in YAML, '{' begins a mapping",
            "put the whole value in quotes, or write it as a block below '|'",
        )
    return Words(trouble.place, f"a value cannot begin with '{trouble.character}'", fix=_IN_QUOTES)


def _no_key(trouble: _Trouble) -> Words:
    if trouble.before.endswith(("'", '"')):
        quote = trouble.before[-1]
        inside = "''" if quote == "'" else '\\"'
        fix = f"put the whole value in one pair of quotes; inside them write {inside} for {quote}"
        return Words(trouble.place, f"there is text after the closing quote {quote}", fix=fix)
    if trouble.before.endswith(("]", "}")):
        return Words(trouble.place, f"there is text after the closing '{trouble.before[-1]}'", fix=_IN_QUOTES)
    if trouble.line.lstrip().startswith("- ") and any(_siblings(trouble)):
        dash = _dash(trouble.place)
        return Words(dash, "this line begins with '-', and those beside it are keys", fix="leave the '-' out")
    why = "it is indented less than the lines above it, and more than the key that they belong to"
    return Words(trouble.place, "the indentation of this line fits no line above it", why, "align it with its siblings")


def _no_dash(trouble: _Trouble) -> Words:
    parents = [key["key"] for key in map(_KEY.match, _above(trouble.page, trouble.began)) if key]
    if parents and is_mapping(parents[0]) and parents[-1] != "tests":  # in the record of a test, a name may be anything
        parent = parents[0]
        message = f"this line begins with '-', and '{parent}' holds keys, not a list"
        return Words(_dash(trouble.began), message, fix="leave the '-' out")
    fix = "begin it with '- ', or indent it as part of the item above"
    return Words(trouble.place, "this line stands among the items of a list, but does not begin with '-'", fix=fix)


def _bad_escape(trouble: _Trouble) -> Words:
    written = trouble.line[trouble.place.column - 1 : trouble.place.column + 1]
    fix = "use single quotes, in which '\\' is an ordinary character, or write '\\\\'"
    return Words(trouble.place, f"'{written}' is not an escape of double quotes", fix=fix)


def _half_pair(trouble: _Trouble) -> Words:
    written = trouble.line[trouble.place.column - 3 : trouble.place.column + 3]
    fix = "write the character itself, or its code as '\\U' and eight digits"
    return Words(trouble.place, f"'{written}' is not a character", "it is half of a surrogate pair", fix)


def _anchor(trouble: _Trouble) -> Words:
    mark = trouble.page.line(trouble.began.line)[trouble.began.column - 1 : trouble.began.column]
    what = "an alias" if mark == "*" else "an anchor"
    return Words(trouble.began, f"a value cannot begin with '{mark}'", f"in YAML, '{mark}' begins {what}", _IN_QUOTES)


def _list_beside(trouble: _Trouble) -> Words:
    fix = "begin the list on the next line, or put the value in quotes if it is text"
    return Words(trouble.place, "a list cannot begin on the line of its key", fix=fix)


def _beside_block(trouble: _Trouble) -> Words:
    mark = trouble.page.line(trouble.began.line)[trouble.began.column - 1 : trouble.began.column]
    fix = f"begin the text on the next line, indented; put the value in quotes if '{mark}' belongs to it"
    return Words(trouble.place, f"there is text beside '{mark}'", fix=fix)


def _stray(trouble: _Trouble) -> Words | None:
    if not trouble.character.strip():
        return None
    return Words(trouble.place, f"there is no value before '{trouble.character}'", fix="remove it, or " + _IN_QUOTES)


def _directive(trouble: _Trouble) -> Words:
    return Words(trouble.began, "a line cannot begin with '%'", fix="indent it if it belongs to the text above")


def _deep(trouble: _Trouble) -> Words:
    return Words(trouble.place, TOO_DEEP)


def _after_end(trouble: _Trouble) -> Words:
    return Words(trouble.place, "there is text after the end of the document", fix="remove the '...' above it")


def _line_above(trouble: _Trouble) -> tuple[int, str] | None:
    for number in range(trouble.place.line - 1, 0, -1):
        line = trouble.page.line(number)
        if line.strip():
            return number, line
    return None


def _above(page: Page, place: Place) -> Iterator[str]:
    """The lines that hold what stands at a place, from the nearest on."""
    indentation = place.column - 1
    for number in range(place.line - 1, 0, -1):
        line = page.line(number)
        if line.strip() and _indentation(line) < indentation:
            indentation = _indentation(line)
            yield line


def _siblings(trouble: _Trouble) -> Iterator[str]:
    """Keys above the trouble in its own column, up to the first line that is indented less."""
    for number in range(trouble.place.line - 1, 0, -1):
        line = trouble.page.line(number)
        if line.strip() and _indentation(line) < trouble.place.column - 1:
            return
        if line.strip() and _indentation(line) == trouble.place.column - 1 and _KEY.match(line):
            yield line


def _dash(place: Place) -> Place:
    return Place(place.line, place.column, place.line, place.column + 1)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _count(number: int) -> str:
    return {2: "two", 3: "three", 4: "four"}.get(number, str(number))


_EXPLANATIONS: tuple[tuple[str, Callable[[_Trouble], Words | None]], ...] = (
    ("maximum nesting depth", _deep),
    ("mapping values are not allowed", _second_colon),
    ("could not find expected ':'", _no_colon),
    ("scanning a quoted scalar: found unexpected", _unclosed_quote),
    ("cannot start any token", _cannot_begin),
    ("expected ',' or", _unclosed_bracket),
    ("did not find expected key", _no_key),
    ("expected '-' indicator", _no_dash),
    ("unknown escape character", _bad_escape),
    ("invalid Unicode character escape", _half_pair),
    ("scanning an alias", _anchor),
    ("scanning an anchor", _anchor),
    ("block sequence entries are not allowed", _list_beside),
    ("mapping keys are not allowed", _cannot_begin),
    ("scanning a block scalar", _beside_block),
    ("node content", _stray),
    ("directive", _directive),
    ("expected <document start>", _after_end),
)
