import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorerkit import functions as f
from scorerkit.functions.languages import is_english, is_unspaced


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("Hello, don't re-use 3.5", ["Hello", "don't", "re-use", "3.5"]),
        ("東京は日本の首都です。", ["東京", "は", "日本", "の", "首都", "です"]),
        ("北京是中国的首都", ["北京", "是", "中国", "的", "首都"]),
        ("กรุงเทพเป็นเมืองหลวง", ["กรุงเทพ", "เป็น", "เมือง", "หลวง"]),
        ("GPTは3.5版です 😀", ["GPT", "は", "3.5", "版", "です"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("한국어 문장", ["한국어", "문장"]),
    ],
)
def test_words_are_found_in_any_language(text, found):
    assert f.segments(text) == found


@settings(deadline=None)
@given(st.text("東京はกa b", max_size=30))
def test_no_letter_is_lost_between_words(text):
    assert "".join(f.segments(text)) == text.replace(" ", "")


@pytest.mark.parametrize(("text", "unspaced"), [("Tokyo", False), ("東京", True), ("한국", False), ("a ก", True)])
def test_scripts_without_spaces_are_known(text, unspaced):
    assert is_unspaced(text) is unspaced


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Paris is the capital of France.", "en"),
        ("La capitale de la France est Paris, sa plus grande ville.", "fr"),
        ("Das ist ein sehr guter Tag.", "de"),
        ("東京は日本の首都です。", "ja"),
        ("北京是中国的首都", "zh"),
        ("สวัสดีครับ", "th"),
        ("مرحبا بالعالم", "ar"),
        ("한국의 수도는 서울입니다", "ko"),
    ],
)
def test_the_language_of_a_text_is_detected(text, code):
    found = f.language(text)
    assert found["code"] == code
    assert found["confidence"] > 0.5


@pytest.mark.parametrize("text", ["", "42", "😀 !"])
def test_text_without_letters_is_in_no_language(text):
    assert f.language(text) is None


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("The quick brown fox", True),
        ("Ein schneller brauner Fuchs", False),
        ("日本", False),
        ("Xyzzy", True),
        ("", True),
    ],
)
def test_english_is_told_by_its_dictionary(text, english):
    assert is_english(text) is english


@pytest.mark.parametrize("function", [f.segments, f.language])
def test_only_text_has_a_language(function):
    with pytest.raises(ValueError, match="needs text"):
        function(1)


def test_long_text_takes_little_time():
    assert len(f.segments("東京は" * 30_000)) == 60_000
    f.language("word " * 100_000)
