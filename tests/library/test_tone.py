import pytest

from scorerkit import functions as f
from scorerkit.errors import NotScorable
from scorerkit.functions.tone import sentiment


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
def test_text_in_another_language_than_the_list_s_has_no_tone(text):
    with pytest.raises(NotScorable):
        f.tone(text)
    with pytest.raises(NotScorable):
        f.tone("It is good.", text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?!.",
        "Good. 東京 is a good city.",
        "😀",
        "42",
        "ab",
        "Merkel and Obama met in Berlin",
        "def sum(a, b): return a + b",
    ],
)
def test_names_emoji_numbers_code_and_no_words_at_all_have_one(text):
    assert 0 <= f.tone(text)["score"] <= 1
