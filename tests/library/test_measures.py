"""The measures of text, as their files compute them, beside the usual packages and definitions, on random text."""

import re
import string
from collections import Counter
from itertools import pairwise

import pytest
import sacrebleu
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq, Levenshtein
from rouge_score.rouge_scorer import RougeScorer

WORDS = ["the", "cat", "sat", "a", "mat", "42", "3.14", "dog's", "on", "The", "end.", "well-known", "x", "(y)", "an"]
SPACED = [*WORDS, "naïve", "Straße", "Москва", "столица", "서울", "café", "مرحبا", "😀"]
ASCII = st.text(alphabet=string.printable, max_size=60) | st.lists(st.sampled_from(WORDS)).map(" ".join)
ANY = st.text(max_size=60) | st.lists(st.sampled_from([*SPACED, "東京", "กรุงเทพ"])).map(" ".join)

WORDED = ASCII | st.lists(st.sampled_from(SPACED)).map(" ".join)


def said(texts):
    """Texts of an answer: one of white space alone counts as no text at all, which is shown elsewhere."""
    return texts.filter(lambda text: not text.isspace())


random_text = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def scored(library, name, text, reference, **params):
    """The score of a file; None where nothing is scorable."""
    key = "input" if name in ("content-similarity", "textual-difference") else "groundTruth"
    result = library.score(name, {"input": "q", "output": text, key: reference}, params)
    assert result.status in ("scored", "notScorable"), result.error
    return result.score


@random_text
@given(text=said(ANY), reference=ANY)
def test_levenshtein_is_that_of_rapidfuzz(library, text, reference):
    found = scored(library, "text/levenshtein", text, reference)
    assert found == pytest.approx(Levenshtein.normalized_similarity(text, reference), abs=1e-12)


ROUGE = RougeScorer(["rougeL"], use_stemmer=False)


@random_text
@given(text=said(ASCII), reference=ASCII)
def test_rouge_l_is_that_of_rouge_score(library, text, reference):
    found = scored(library, "text/rouge-l", text, reference)
    if re.search("[a-z0-9]", reference.lower()):
        assert found == pytest.approx(ROUGE.score(reference, text)["rougeL"].fmeasure, abs=1e-12)
    else:
        assert found is None


@random_text
@given(text=said(ANY), reference=ANY)
def test_bleu_is_that_of_sacrebleu(library, text, reference):
    for tokenize in ("13a", "intl", "zh", "char", "none"):
        found = scored(library, "text/bleu", text, reference, tokenize=tokenize)
        if reference.strip():
            wanted = sacrebleu.sentence_bleu(text, [reference], tokenize=tokenize).score / 100
            assert found == pytest.approx(min(wanted, 1), abs=1e-12)
        else:
            assert found is None


def squad_words(text):
    """The official script's normalisation, from its description: case, punctuation, articles, spaces."""
    bare = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


def squad(text, reference):
    said, wanted = squad_words(text), squad_words(reference)
    common = sum((Counter(said) & Counter(wanted)).values())
    return 2 * common / (len(said) + len(wanted)) if common else 0


@random_text
@given(text=said(WORDED), reference=WORDED)
def test_token_f1_is_that_of_squad(library, text, reference):
    found = scored(library, "text/token-f1", text, reference)
    if squad_words(reference):
        assert found == pytest.approx(squad(text, reference), abs=1e-12)
    else:
        assert found is None


JS_SPACE = re.compile("[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def utf16(text):
    """What the reference counts as characters: an emoji is two."""
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[at : at + 2] for at in range(0, len(data), 2)]


def dice(one, two):
    """string-similarity's compareTwoStrings, from its description, over UTF-16 units."""
    first, second = (utf16(JS_SPACE.sub("", text)) for text in (one, two))
    if first == second:
        return 1
    if len(first) < 2 or len(second) < 2:
        return 0
    common = sum((Counter(pairwise(first)) & Counter(pairwise(second))).values())
    return 2 * common / (len(first) + len(second) - 2)


@random_text
@given(text=said(ANY), reference=ANY)
def test_content_similarity_is_dice_s_coefficient_of_pairs(library, text, reference):
    found = scored(library, "content-similarity", text, reference, ignoreCase=False, ignoreWhitespace=False)
    assert found == pytest.approx(dice(reference, text), abs=1e-12)


@random_text
@given(text=said(ANY), reference=ANY)
def test_textual_difference_is_the_common_subsequence_over_both_lengths(library, text, reference):
    found = scored(library, "textual-difference", text, reference)
    one, two = utf16(text), utf16(reference)
    both = len(one) + len(two)
    assert found == pytest.approx(2 * LCSseq.similarity(one, two) / both if both else 1, abs=1e-12)


@pytest.mark.parametrize(
    "name",
    ["text/levenshtein", "text/rouge-l", "text/bleu", "text/token-f1", "content-similarity", "textual-difference"],
)
@random_text
@given(text=said(ANY), reference=said(ANY))
def test_a_score_is_a_share_and_a_text_is_like_itself(library, name, text, reference):
    found = scored(library, name, text, reference)
    itself = scored(library, name, reference, reference)
    assert found is None or 0 <= found <= 1
    assert itself is None or itself == pytest.approx(1, abs=1e-9) or name == "text/bleu"
