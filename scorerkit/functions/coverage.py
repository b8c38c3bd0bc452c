"""How much of one text another one takes up: its elements, its keywords."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import category, normalize

from scorerkit.errors import NotScorable
from scorerkit.functions.arguments import as_text, shown
from scorerkit.functions.languages import is_unspaced, segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorerkit.model.json import Json

_TAG = re.compile(r"<[^<>]*>")
_STRETCH = re.compile(r"https?://[^\s<>\"]+|[^\s,;，；、،؛]+")  # noqa: RUF001
_NUMBER = re.compile(r"[\d.:]+")
_EDGES = ("Ps", "Pe", "Pi", "Pf", "Po")
_SIGNS = frozenset("%&@*/\\#")
"""Punctuation by Unicode that belongs to a word, or counts as a sign of its own."""
_HYPHEN = re.compile("[-\u2010\u2011]")
_CONTRACTIONS = (
    (re.compile(r"\bwon['’]t\b"), "will not"),  # noqa: RUF001
    (re.compile(r"\bcan['’]t\b"), "can not"),  # noqa: RUF001
    (re.compile(r"n['’]t\b"), " not"),  # noqa: RUF001
    (re.compile(r"['’](?:s|m|d|re|ve|ll)\b"), ""),  # noqa: RUF001
)
_ALONE = 3
_NEAR = 0.6
_LONGEST = 64
_LATIN = (
    "af br ca cs da de en eo es et eu fi fr ga gl ha hr hu id it ku la lt lv ms nl no "
    "pl pt ro sk sl so st sv sw tl tr vi yo zu"
)
"""The languages that have a list and are written in Latin letters."""


def completeness(text: str, answer: str, language: str = "en") -> dict[str, Json]:
    """How much of a text an answer takes up: ``score``, and ``inputElements``, ``outputElements``, ``missingElements``.

    Elements are the distinct words of any language (``segments``), contractions and hyphens taken apart, in small
    letters without accents, as their dictionary forms (``simplemma``, for ``language``). One is covered if the answer
    has it; one of more than 3 letters also if an element of the answer contains it, or is contained in it, and the
    shorter has more than 60 % of the longer's letters. The score is the share of covered elements.

    Raises:
        NotScorable: the text has no elements.
        ValueError: something is not text, or the language has no dictionary.
    """
    wanted = elements(as_text("completeness", text), language)
    found = elements(as_text("completeness", answer), language)
    if not wanted:
        why = "there is nothing to cover: the text has no words"
        raise NotScorable(why)
    missing = _uncovered(wanted, found)
    return {
        "score": (len(wanted) - len(missing)) / len(wanted),
        "inputElements": wanted,
        "outputElements": found,
        "missingElements": missing,
        "elementCounts": {"input": len(wanted), "output": len(found)},
    }


def keyword_coverage(text: str, answer: str, language: str = "en") -> dict[str, Json]:
    """How many keywords of a text an answer repeats: ``{score, referenceKeywords, responseKeywords, …}``.

    Keywords are the distinct words in small letters, without stop words and numbers; a text of a single word has that
    word. A word stands between spaces or commas, without the punctuation at its ends, and is compared as it is
    written: forms, accents and hyphens count, and so do signs and emoji. Addresses end at a space. Scripts without
    spaces are split by ``segments``. Stop words are those of ``language`` and of all languages in other scripts:
    Salton's SMART list for English (package ``python-rake``), ``stopwords-iso`` for the others.
    ``totalKeywordsLength`` and ``matchedKeywordsLength`` are the counts whose quotient is the score.

    Raises:
        NotScorable: the text has no keywords.
        ValueError: something is not text, or there is no list for the language.
    """
    wanted = keywords(as_text("keyword_coverage", text), language)
    found = keywords(as_text("keyword_coverage", answer), language)
    if not wanted:
        why = "there is nothing to cover: the text has no keywords"
        raise NotScorable(why)
    matched = len(set(wanted) & set(_written(answer)))
    return {
        "score": matched / len(wanted),
        "referenceKeywords": wanted,
        "responseKeywords": found,
        "totalKeywordsLength": len(wanted),
        "matchedKeywordsLength": matched,
    }


def elements(text: str, language: str) -> list[str]:
    """The distinct words as dictionary forms, in order of first appearance."""
    plain = _HYPHEN.sub(" ", text.lower())
    for contraction, whole in _CONTRACTIONS:
        plain = contraction.sub(whole, plain)
    return list(dict.fromkeys(filter(None, (_bare(_lemma(word, language)) for word in segments(plain)))))


def keywords(text: str, language: str) -> list[str]:
    """The distinct words that carry meaning, in order of first appearance."""
    stops = stop_words(language)
    found = _written(text)
    if len(found) == 1:
        return found
    return list(dict.fromkeys(word for word in found if not _NUMBER.fullmatch(word) and not _stops(word, stops)))


def _stops(word: str, stops: frozenset[str]) -> bool:
    """Whether a list has the word, in the spelling of lists; signs, which some of them have too, are no words."""
    return any(map(str.isalnum, word)) and normalize("NFC", word).replace("’", "'") in stops  # noqa: RUF001


def _written(text: str) -> list[str]:
    """The words of a text in small letters."""
    found: list[str] = []
    for stretch in _STRETCH.findall(_TAG.sub(" ", text).lower()):
        word = stretch if stretch.startswith(("http://", "https://")) else _bare_ends(stretch)
        found += segments(word) if is_unspaced(word) else [word] if word else []
    return found


def _bare_ends(stretch: str) -> str:
    """Without the punctuation at the ends, and without the marks of a heading before it."""
    inner = [place for place, letter in enumerate(stretch) if letter in _SIGNS or category(letter) not in _EDGES]
    return stretch[inner[0] : inner[-1] + 1].lstrip("#") if inner else ""


@cache
def stop_words(language: str) -> frozenset[str]:
    """Words that say nothing alone: of one language, and of those whose script no other language shares with it.

    Raises:
        ValueError: there is no list for the language.
    """
    import stopwordsiso

    known = stopwordsiso.langs()
    if language not in known:
        message = f"there are no stop words for the language {shown(language)}; known are {', '.join(sorted(known))}"
        raise ValueError(message)
    listed = stopwordsiso.stopwords(language)
    if language == "en":
        from RAKE import SmartStopList  # type: ignore[import-untyped]

        listed = set(SmartStopList())
    return frozenset(listed).union(*map(stopwordsiso.stopwords, known - set(_LATIN.split())))


def _lemma(word: str, language: str) -> str:
    import simplemma

    return simplemma.lemmatize(word, language).lower() if len(word) <= _LONGEST else word


def _bare(word: str) -> str:
    """Without accents; where that would change the word itself (Kana, Thai, Hindi) as it is."""
    parts = normalize("NFD", word)
    if not any("\u0300" <= part <= "\u036f" for part in parts):
        return word
    return "".join(part for part in parts if category(part) != "Mn")


def _uncovered(wanted: list[str], found: list[str]) -> list[str]:
    """Elements without a match, in time linear in the texts: parts of a word are looked up, not compared."""
    exact = set(found)
    inside = {part for word in found for part in _parts(word)}
    return [
        word
        for word in wanted
        if word not in exact
        and (len(word) <= _ALONE or (word not in inside and not any(part in exact for part in _parts(word))))
    ]


def _parts(word: str) -> Iterator[str]:
    """The parts of a word that have more than 60 % of its letters."""
    if len(word) > _LONGEST:
        return
    shortest = int(_NEAR * len(word)) + 1
    for size in range(shortest, len(word)):
        yield from _windows(word, size)


def _windows(word: str, size: int) -> Iterable[str]:
    return (word[start : start + size] for start in range(len(word) - size + 1))
