import pytest

from scorerkit.suggest import closest, listed, suggestion

KEYS = ("prompt", "outputSchema", "judge", "when", "description")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("promt", "prompt"),
        ("outputschema", "outputSchema"),
        ("OUTPUTSCHEMA", "outputSchema"),
        ("vendor", None),
        ("", None),
    ],
)
def test_the_closest_word_is_close_or_there_is_none(word, expected):
    assert closest(word, KEYS) == expected


def test_a_list_of_words_keeps_its_order_and_ends_after_ten():
    assert listed("ba") == "'b', 'a'"
    assert listed("abcdefghijkl").endswith("'j', …")


def test_a_suggestion_is_one_close_word_or_the_choices():
    assert suggestion("promt", KEYS) == "did you mean 'prompt'?"
    assert suggestion("vendor", KEYS) == f"use one of {listed(KEYS)}"
