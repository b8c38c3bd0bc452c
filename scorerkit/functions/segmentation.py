r"""Words and sentences of any language, by rules over Unicode alone.

A word is a run of letters, digits and combining marks; apostrophes, hyphens and the separators of a number hold it
together from within. In scripts that are written without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar) each
character, with the marks on it, counts as one word: a count that can be compared, not a segmentation.

A sentence ends at ``. ! ? …`` or the marks that other scripts use for them, with the quotes and brackets that close
there. The marks that Latin writing shares with numbers and names end it only before a space or the end of the text,
and a full stop not before a small letter (``e.g. this``). An empty line ends a sentence too. Abbreviations before a
capital letter (``Dr. Smith``) are taken for ends.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import category

from scorerkit.functions.arguments import as_text, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

UNSPACED = (
    "\u0e01-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""The scripts that are written without spaces, as the inside of a character class."""
_SPACED_ENDS = ".!?…"
_ENDS = _SPACED_ENDS + "。！？｡．؟۔।॥։።፧፨។៕၊။᠃᠉‼⁇⁈⁉"  # noqa: RUF001
_CLOSING = "\"'”’»›)]}」』）】》"  # noqa: RUF001
_END = re.compile(f"(?<![{_ENDS}])[{_ENDS}]+[{re.escape(_CLOSING)}]*|\n[^\\S\n]*\n")
_SPACE = re.compile(r"\s*")


def words(text: str) -> list[str]:
    """The words in order, as they are written.

    Raises:
        ValueError: it is not text.
    """
    return [match.group() for match in _found_words("words", text)]


def sentences(text: str) -> list[str]:
    """The sentences in order, with their closing marks and without the space around them; empty ones are left out.

    Raises:
        ValueError: it is not text.
    """
    whole = as_text("sentences", text)
    found, start = [], 0
    for match in _END.finditer(whole):
        if _ends(whole, match):
            found.append(whole[start : match.end()].strip())
            start = match.end()
    found.append(whole[start:].strip())
    return [sentence for sentence in found if sentence]


def truncate_words(text: str, count: int, end: str = "…") -> str:
    """The text up to its ``count``-th word, and ``end`` where something was cut off; shorter text stays as it is.

    Raises:
        ValueError: it is not text, or the count is not a whole number from 0 up.
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        message = f"truncate_words needs a number of words, not {shown(count)}"
        raise ValueError(message)
    last = 0
    for index, match in enumerate(_found_words("truncate_words", text)):
        if index == count:
            return text[:last] + end
        last = match.end()
    return text


def _found_words(name: str, text: str) -> Iterator[re.Match[str]]:
    return _word().finditer(as_text(name, text))


@cache
def _word() -> re.Pattern[str]:
    marks = _combining_marks()
    letter = f"(?:(?![{UNSPACED}])[^\\W_]|[{marks}])"
    joint = "(?:['’\\-\u2010\u2011]|(?<=\\d)[.,](?=\\d))"  # noqa: RUF001
    return re.compile(f"(?=[^\\W_])[{UNSPACED}][{marks}]*|{letter}+(?:{joint}{letter}+)*")


def _combining_marks() -> str:
    r"""All marks of Unicode as the inside of a character class: Python's ``\w`` leaves them out."""
    codes = (code for code in (*range(0x300, 0x1F000), *range(0xE0100, 0xE01F0)) if category(chr(code)).startswith("M"))
    runs = [[code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0])]
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)


def _ends(text: str, match: re.Match[str]) -> bool:
    """Whether a sentence ends here, rather than a number, a name or an abbreviation going on."""
    mark = match.group()
    if mark.isspace() or not set(mark) <= set(_SPACED_ENDS + _CLOSING):
        return True
    if match.end() == len(text):
        return True
    if not text[match.end()].isspace():
        return False
    following = _SPACE.match(text, match.end())
    after = text[following.end() : following.end() + 1] if following else ""
    return "!" in mark or "?" in mark or not after.islower()
