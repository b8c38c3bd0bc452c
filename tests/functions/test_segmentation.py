import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit import functions as f


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("  \n", []),
        ("Hello, world!", ["Hello", "world"]),
        ("don't re-use 3.5 or 1,000", ["don't", "re-use", "3.5", "or", "1,000"]),
        ("end-of-line- 'quoted'", ["end-of-line", "quoted"]),
        ("snake_case a/b", ["snake", "case", "a", "b"]),
        ("Grüße aus Köln", ["Grüße", "aus", "Köln"]),
        ("cafe\u0301 noir", ["cafe\u0301", "noir"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("مرحبا بالعالم؟", ["مرحبا", "بالعالم"]),
        ("東京は1つ。", ["東", "京", "は", "1", "つ"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("GPT的3.5版", ["GPT", "的", "3.5", "版"]),
        ("😀 ok 👍", ["ok"]),
    ],
)
def test_words_of_any_script_are_found(text, found):
    assert f.words(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("No mark at the end", ["No mark at the end"]),
        ("It costs 3.50 at shop.example.org today.", ["It costs 3.50 at shop.example.org today."]),
        ("Bring some, e.g. apples. Then go.", ["Bring some, e.g. apples.", "Then go."]),
        ("Wait... what? Yes!!", ["Wait... what?", "Yes!!"]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("Really?! yes", ["Really?!", "yes"]),
        ("東京です。大阪ですか？はい！", ["東京です。", "大阪ですか？", "はい！"]),
        ("「はい。」次。", ["「はい。」", "次。"]),
        ("कैसे हो। ठीक।", ["कैसे हो।", "ठीक।"]),
        ("هل هذا؟ نعم۔", ["هل هذا؟", "نعم۔"]),
        ("A heading\n\nA text\nthat goes on", ["A heading", "A text\nthat goes on"]),
        ("...", ["..."]),
    ],
)
def test_sentences_of_any_script_are_found(text, found):
    assert f.sentences(text) == found


@pytest.mark.parametrize(
    ("text", "count", "kept"),
    [
        ("one two three", 2, "one two…"),
        ("one two three", 3, "one two three"),
        ("one,  two!", 5, "one,  two!"),
        ("one two", 0, "…"),
        ("", 0, ""),
        ("東京は大きい", 2, "東京…"),
    ],
)
def test_text_is_cut_after_a_word(text, count, kept):
    assert f.truncate_words(text, count) == kept


def test_the_end_of_cut_text_can_be_chosen():
    assert f.truncate_words("one two", 1, end=" [cut]") == "one [cut]"


@pytest.mark.parametrize("count", [-1, 1.5, True, "2", None])
def test_a_count_of_words_is_a_whole_number(count):
    with pytest.raises(ValueError, match="truncate_words needs a number of words"):
        f.truncate_words("one", count)


@pytest.mark.parametrize("function", [f.words, f.sentences, lambda value: f.truncate_words(value, 1)])
def test_only_text_has_words(function):
    with pytest.raises(ValueError, match="needs text, not a list"):
        function(["a"])


@given(st.text())
def test_nothing_but_space_is_lost_between_sentences(text):
    assert "".join("".join(f.sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize("unit", [".", ". ", "a", "\n", "\n ", '."', "-'", "é\u0301", "1,", "。」"])
def test_hostile_text_takes_linear_time(unit):
    text = unit * 40_000
    f.words(text)
    f.sentences(text)
