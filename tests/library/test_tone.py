import sys

import pytest

from scorerkit import functions as f
from scorerkit.errors import NotScorable, RecordError
from scorerkit.functions import tone as module_of
from scorerkit.functions.tone import sentiment

assert module_of is f.tone


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("I love this great product!", 6 / 5),
        ("This is not good.", -3 / 4),
        ("good_bad", 0),
        ("Pizza 🍕 is great 😀👍", 1),
        ("", 0),
        ("a\nb  good", 1),
        ("not not good", -1),
    ],
)
def test_the_tone_of_a_text_is_the_mean_valence_of_its_words(text, mean):
    assert sentiment(text) == pytest.approx(mean)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?!.",
        "とても良かったです。",
        "很好",
        "ดีมาก",
        "한국의 수도는 서울입니다",
        "Столица России — Москва",
        "مرحبا بالعالم",
        "C'est magnifique, merci beaucoup pour votre aide",
        "Das ist ein sehr guter Tag für uns alle",
        "La comida estaba muy buena y el servicio terrible",
        "機械学習 を Python で 実装 する",
    ],
)
def test_text_without_words_of_the_list_s_language_has_no_tone(text):
    with pytest.raises(NotScorable):
        f.tone(text)
    with pytest.raises(NotScorable):
        f.tone("It is good.", text)


@pytest.mark.parametrize(
    "text",
    ["Good. 東京 is a good city.", "😀", "42", "ab", "Merkel and Obama met in Berlin", "def sum(a, b): return a + b"],
)
def test_names_emoji_numbers_and_code_in_english_have_one(text):
    assert 0 <= f.tone(text)["score"] <= 1


def test_a_missing_library_fails_the_record_and_names_the_extra(monkeypatch):
    from scorerkit.functions import extras

    monkeypatch.setitem(sys.modules, "afinn", None)
    with pytest.raises(RecordError) as caught:
        extras.optional("afinn", "tone", "the tone of English text")
    assert caught.value.message == "the tone of English text needs the extra 'tone'"
    assert caught.value.fix == "install it: pip install 'scorerkit[tone]'"


def test_a_missing_data_file_names_the_extra_too():
    from scorerkit.functions import extras

    with pytest.raises(RecordError, match="a thing needs the extra 'x'"):
        extras.data_file("no_such_package_here", "data.csv", "x", "a thing")
