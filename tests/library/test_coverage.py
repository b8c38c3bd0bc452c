import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorerkit import functions as f
from scorerkit.errors import NotScorable
from scorerkit.functions.coverage import elements, keywords

TEXT = st.lists(st.sampled_from(["fox", "foxes", "running", "icecream", "ice", "café", "x", "東京", "は"]), min_size=1)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The foxes weren't running", ["the", "fox", "be", "not", "run"]),
        ("It's state-of-the-art", ["it", "state", "of", "the", "art"]),
        ("Café Zoë", ["cafe", "zoe"]),
        ("I can't, won't", ["i", "can", "not", "will"]),
        ("ハガキがある", ["ハガキ", "が", "ある"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("!? 😀", []),
    ],
)
def test_elements_are_plain_dictionary_forms(text, found):
    assert elements(text, "en") == found


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("The 123 quick foxes, see https://example.com/a?b=1.", "en", ["quick", "foxes", "https://example.com/a?b=1."]),
        (
            "apples,pears; 3,14 C# #tag «bon» good.bad 50% R&D",
            "en",
            ["apples", "pears", "c#", "tag", "bon", "good.bad", "50%", "r&d"],
        ),
        ("- item => `code()` 🍕😀 (b)", "en", ["-", "item", "=>", "`code()`", "🍕😀"]),
        ("ما هي عاصمة فرنسا؟", "en", ["عاصمة", "فرنسا"]),
        ("Why?", "en", ["why"]),
        ("42", "en", ["42"]),
        ("<b>bold</b> text", "en", ["bold", "text"]),
        ("Quelle est la capitale", "fr", ["capitale"]),
        ("日本の首都は東京です", "en", ["日本", "首都", "東京"]),
        ("the and of", "en", []),
    ],
)
def test_keywords_are_words_that_carry_meaning(text, language, found):
    assert keywords(text, language) == found


@settings(deadline=None)
@given(TEXT, TEXT)
def test_a_share_is_covered_and_the_rest_is_named(text, answer):
    found = f.completeness(" ".join(text), " ".join(answer))
    covered = len(found["inputElements"]) - len(found["missingElements"])
    assert found["score"] == covered / len(found["inputElements"])
    assert set(found["missingElements"]).isdisjoint(found["outputElements"])


@settings(deadline=None)
@given(TEXT)
def test_a_text_takes_up_itself(text):
    assert f.completeness(" ".join(text), " ".join(text))["score"] == 1


@pytest.mark.parametrize(
    ("text", "answer", "score"),
    [("cat", "cats", 1), ("icecream", "cream", 1), ("icecream", "ice", 0), ("axe", "taxes", 0), ("word", "x" * 200, 0)],
)
def test_a_longer_word_is_found_inside_another(text, answer, score):
    assert f.completeness(text, answer)["score"] == score


@pytest.mark.parametrize("function", [f.completeness, f.keyword_coverage])
def test_an_empty_text_asks_for_nothing(function):
    with pytest.raises(NotScorable):
        function("", "answer")
    assert function("fox", "")["score"] == 0


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="there are no stop words for the language the text 'xx'"):
        f.keyword_coverage("a fox", "a fox", "xx")
    with pytest.raises(ValueError, match="xx"):
        f.completeness("a fox", "a fox", "xx")


@pytest.mark.parametrize("unit", ["ab", "a b ", "word ", "-", "'", "<", "https://"])
def test_hostile_text_takes_little_time(unit):
    f.completeness(unit * 20_000 + " word", unit * 20_000)
    f.keyword_coverage(unit * 20_000 + " word", unit * 20_000)
