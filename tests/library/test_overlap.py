import string

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from scorerkit import functions as f
from scorerkit.errors import NotScorable

WORDS = st.lists(
    st.sampled_from(["the", "cat", "sat", "a", "mat", "42", "dog's", "on", "The", "end.", "x"]), min_size=1
)
SENTENCES = WORDS.map(" ".join)
ASCII = st.text(alphabet=string.printable, max_size=60)


@given(st.text(max_size=60), st.text(max_size=60))
def test_edits_are_counted_as_rapidfuzz_counts_them(one, two):
    from rapidfuzz.distance import Levenshtein

    assert f.levenshtein(one, two) == Levenshtein.normalized_similarity(one, two)


def edits(one, two):
    """Levenshtein's own recursion, row by row."""
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        above, row[0] = row[0], i
        for j, b in enumerate(two, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (a != b))
    return row[-1]


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_similarity_is_one_less_the_share_of_edits(one, two):
    longest = max(len(one), len(two))
    assert f.levenshtein(one, two) == pytest.approx(1 - edits(one, two) / longest if longest else 1)


@settings(max_examples=60, deadline=None)
@given(ASCII | SENTENCES, SENTENCES)
def test_rouge_is_that_of_its_package_on_ascii(text, reference):
    wanted = RougeScorer(["rougeL"], use_stemmer=False).score(reference, text)["rougeL"]
    found = f.rouge_l(text, reference)
    assert (found["precision"], found["recall"]) == pytest.approx((wanted.precision, wanted.recall))
    assert found["score"] == pytest.approx(wanted.fmeasure)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60) | SENTENCES, SENTENCES)
def test_bleu_is_that_of_sacrebleu(text, reference):
    assert f.bleu(text, reference, "13a") == pytest.approx(
        min(sacrebleu.sentence_bleu(text, [reference]).score / 100, 1), abs=1e-12
    )


def squad(text, reference):
    """The F1 of the SQuAD evaluation, from its description."""

    def tokens(given):
        bare = "".join(c for c in given.lower() if c not in string.punctuation)
        return [word for word in bare.split() if word not in ("a", "an", "the")]

    said, wanted = tokens(text), tokens(reference)
    common = sum(min(said.count(word), wanted.count(word)) for word in set(said))
    return 2 * common / (len(said) + len(wanted)) if common else 0


@given(SENTENCES, SENTENCES.filter(lambda text: any(word not in ("a", "the", "The") for word in text.split())))
def test_shared_words_are_counted_as_squad_counts_them(text, reference):
    assert f.token_f1(text, reference)["score"] == pytest.approx(squad(text, reference))


@pytest.mark.parametrize(
    ("function", "text", "reference", "score"),
    [
        (f.rouge_l, "首都是北京", "中国的首都是北京", 0.75),
        (f.rouge_l, "Ein Hund lief", "ein hund saß", 2 / 3),
        (f.token_f1, "กรุงเทพ", "กรุงเทพ", 1),
        (f.token_f1, "東京", "東京は首都", 0.5),
        (f.rouge_l, "", "the cat", 0),
        (f.token_f1, "", "the cat", 0),
    ],
)
def test_text_in_any_script_is_compared_by_words(function, text, reference, score):
    assert function(text, reference)["score"] == pytest.approx(score)


def test_bleu_takes_characters_where_there_are_no_spaces():
    assert f.bleu("東京は首都です", "東京は首都です") == pytest.approx(1)
    assert f.bleu("東京は首都だ", "東京は首都です", "13a") == pytest.approx(0)
    assert 0.3 < f.bleu("東京は首都だ", "東京は首都です") < 1


def test_several_references_are_one_yardstick():
    assert f.bleu("the cat sat on the mat", ["nothing like it", "the cat sat on the mat"]) == pytest.approx(1)


@pytest.mark.parametrize("function", [f.rouge_l, f.token_f1, f.bleu])
@pytest.mark.parametrize("reference", ["", "  "])
def test_an_empty_reference_measures_nothing(function, reference):
    with pytest.raises(NotScorable):
        function("the cat", reference)


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        (f.levenshtein, (1, "a"), "levenshtein needs text"),
        (f.rouge_l, ("a", None), "rouge_l needs text"),
        (f.token_f1, (["a"], "a"), "token_f1 needs text"),
        (f.bleu, ("a", "b", "words"), "bleu knows the tokenizers"),
    ],
)
def test_what_is_no_text_is_refused(function, arguments, words):
    with pytest.raises(ValueError, match=words):
        function(*arguments)


def test_long_text_takes_little_time():
    f.rouge_l("a b " * 20_000, "b a " * 20_000)
    f.levenshtein("ab" * 5_000, "ba" * 5_000)
    f.token_f1("a b " * 50_000, "b c " * 50_000)
