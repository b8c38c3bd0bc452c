"""Measures of text against a reference, as the field defines them."""

from __future__ import annotations

import re
import string
from collections import Counter
from typing import TYPE_CHECKING

from scorerkit.errors import NotScorable
from scorerkit.functions.arguments import as_text, shown
from scorerkit.functions.extras import optional
from scorerkit.functions.languages import is_unspaced, segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.json import Json

TOKENIZERS = ("auto", "13a", "intl", "zh", "char", "none")
_ROUGE_WORD = re.compile("[a-z0-9]+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_ASCII_MARKS = str.maketrans("", "", string.punctuation)


def levenshtein(text: str, reference: str) -> float:
    """How alike two texts are by edits: 1 less (insertions, deletions, substitutions) / length of the longer one.

    Levenshtein 1966; ``Levenshtein.normalized_similarity`` of ``rapidfuzz``. Two empty texts are 1.

    Raises:
        ValueError: one of the two is not text.
    """
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_similarity(as_text("levenshtein", text), as_text("levenshtein", reference))


def rouge_l(text: str, reference: str) -> dict[str, Json]:
    """ROUGE-L (Lin 2004): ``{precision, recall, score}`` of the longest common subsequence of words, score being F1.

    Of two ASCII texts words are those of the package ``rouge-score`` without stemming, whose numbers these are: runs
    of letters and digits, in small letters. Otherwise they are those of ``segments``.

    Raises:
        NotScorable: the reference has no words.
        ValueError: one of the two is not text.
    """
    one, two = as_text("rouge_l", text), as_text("rouge_l", reference)
    tokens = _rouge_words if (one + two).isascii() else _lower_segments
    said, wanted = tokens(one), tokens(two)
    if not wanted:
        why = "the reference has no words"
        raise NotScorable(why)
    from rapidfuzz.distance import LCSseq

    return _f_measure(LCSseq.similarity(said, wanted), len(said), len(wanted))


def token_f1(text: str, reference: str) -> dict[str, Json]:
    """``{precision, recall, score}`` of shared words, each as often as both have it: the F1 of SQuAD (Rajpurkar 2016).

    In small letters, without ASCII punctuation and the articles ``a``, ``an``, ``the``; words end at spaces, and in
    scripts without spaces where ``segments`` ends them.

    Raises:
        NotScorable: the reference has no words.
        ValueError: one of the two is not text.
    """
    said, wanted = (_squad_words(as_text("token_f1", each)) for each in (text, reference))
    if not wanted:
        why = "the reference has no words"
        raise NotScorable(why)
    return _f_measure((Counter(said) & Counter(wanted)).total(), len(said), len(wanted))


def bleu(text: str, references: str | list[str], tokenize: str = "auto") -> float:
    """BLEU of one text (Papineni et al. 2002), 0 to 1: ``sentence_bleu`` of ``sacrebleu`` (extra ``bleu``) over 100.

    N-grams up to 4, exponential smoothing. ``tokenize`` is one of sacrebleu's ``13a``, ``intl``, ``zh``, ``char`` and
    ``none``; ``auto`` is ``char`` where a text is in a script without spaces, and ``13a`` elsewhere.

    Raises:
        NotScorable: the references are empty.
        ValueError: something is not text, or the tokenizer is unknown.
        RecordError: the extra is not installed.
    """
    said = as_text("bleu", text)
    wanted = [as_text("bleu", each) for each in ([references] if isinstance(references, str) else references)]
    if not any(map(str.strip, wanted)):
        why = "the reference is empty"
        raise NotScorable(why)
    if tokenize not in TOKENIZERS:
        message = f"bleu knows the tokenizers {', '.join(TOKENIZERS)}, not {shown(tokenize)}"
        raise ValueError(message)
    if tokenize == "auto":
        tokenize = "char" if any(map(is_unspaced, (said, *wanted))) else "13a"
    sacrebleu = optional("sacrebleu", "bleu", "BLEU")
    score = sacrebleu.sentence_bleu(said, wanted, tokenize=tokenize).score
    return min(float(score) / 100, 1.0)  # equal texts come out a little above 100


def _f_measure(common: int, said: int, wanted: int) -> dict[str, Json]:
    precision = common / said if said else 0.0
    recall = common / wanted
    score = 2 * precision * recall / (precision + recall) if common else 0.0
    return {"precision": precision, "recall": recall, "score": score}


def _rouge_words(text: str) -> list[str]:
    return _ROUGE_WORD.findall(text.lower())


def _lower_segments(text: str) -> list[str]:
    return [word.lower() for word in segments(text)]


def _squad_words(text: str) -> Sequence[str]:
    bare = _ARTICLES.sub(" ", text.lower().translate(_ASCII_MARKS))
    return _lower_segments(bare) if is_unspaced(bare) else bare.split()
