"""What depends on the language of a text: where its words end, which language it is, whether it is English."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import name as character_name

from scorerkit.functions.arguments import as_text
from scorerkit.functions.extras import optional
from scorerkit.functions.segmentation import UNSPACED, words

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_STRETCH = re.compile(f"([{UNSPACED}]+)")
_LEAST_ENGLISH = 0.5
_DETECTED = 5000


class Language(NamedTuple):
    """A language, as its ISO 639-1 code, and how sure the detector is, 0 to 1."""

    code: str
    confidence: float


def segments(text: str) -> list[str]:
    """The words of a text in any language, as they are written.

    As ``words``, and where a script is written without spaces (Japanese, Chinese, Thai, Lao, Khmer, Burmese) by the
    dictionaries of ICU, which the extra ``languages`` brings.

    Raises:
        ValueError: it is not text.
        RecordError: the extra is needed and not installed.
    """
    found: list[str] = []
    for index, stretch in enumerate(_STRETCH.split(as_text("segments", text))):
        found += _unspaced(stretch) if index % 2 else words(stretch)
    return found


def _unspaced(text: str) -> list[str]:
    breakers = optional("icu4py.breakers", "languages", "finding words in text without spaces")
    return [part for part in breakers.WordBreaker(text, "en") if any(map(str.isalnum, part))]


def is_unspaced(text: str) -> bool:
    """Whether some of a text is in a script that is written without spaces."""
    return _STRETCH.search(as_text("is_unspaced", text)) is not None


def language(text: str) -> dict[str, Json] | None:
    """The language of a text, ``{code, confidence}``: its ISO 639-1 code, and how sure that is, 0 to 1.

    By the detector of ``py3langid`` (extra ``languages``), of the first 5000 characters. Null for text without a
    letter. Short texts are guessed with little confidence.

    Raises:
        ValueError: it is not text.
        RecordError: the extra is not installed.
    """
    whole = as_text("language", text)[:_DETECTED]
    if not any(map(str.isalpha, whole)):
        return None
    code, confidence = _detector().classify(whole)
    return Language(str(code), float(confidence))._asdict()


@cache
def _detector() -> Any:
    """One detector for all records: its model takes half a second to load, and it keeps nothing of a text."""
    langid = optional("py3langid.langid", "languages", "detecting a language")
    detector = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    detector.set_languages([code for code in detector.labels if len(code) == 2])
    return detector


def is_english(text: str) -> bool:
    """Whether a text may be English: most of it in Latin letters, and half of the words in ``simplemma``'s dictionary.

    A single word is taken for a name, and a text without words for English.
    """
    found = [word for word in words(text) if any(map(str.isalpha, word))]
    latin = [word for word in found if _is_latin(word)]
    if 2 * len(latin) < len(found):
        return False
    if len(latin) < 2:
        return True
    from simplemma import in_target_language

    return in_target_language(" ".join(latin), lang="en") >= _LEAST_ENGLISH


def _is_latin(word: str) -> bool:
    return all(not letter.isalpha() or "LATIN" in character_name(letter, "") or _is_styled(letter) for letter in word)


def _is_styled(letter: str) -> bool:
    """Letters of mathematics, which are Latin in another dress."""
    return "\U0001d400" <= letter <= "\U0001d7ff"
