import pytest

from scorerkit.check.words import kind_word, kinds_word, owner, thing

KINDS = [
    (None, "empty", "empty"),
    (True, "true or false", "true or false"),
    (1, "a number", "a number"),
    (1.5, "a number", "a number"),
    ("x", "text", "a string"),
    ({}, "a mapping", "a table"),
    ([], "a list", "an array"),
]


@pytest.mark.parametrize(("value", "yaml", "toml"), KINDS)
def test_a_kind_is_called_as_the_author_calls_it(value, yaml, toml):
    assert (kind_word(value), kind_word(value, "toml")) == (yaml, toml)


def test_several_kinds_are_joined():
    assert kinds_word(["string", "object"]) == "text or a mapping"
    assert kinds_word(["integer", "array"], "toml") == "a whole number or an array"


@pytest.mark.parametrize(
    ("path", "named", "owns"),
    [
        ((), "the scorer", "a scorer"),
        (("judge",), "'judge'", "'judge'"),
        (("tests", 1), "entry 2 of 'tests'", "an entry of 'tests'"),
        (("a", 0, 1), "entry 2 of 'a'", "an entry of 'a'"),
    ],
)
def test_a_place_is_called_by_its_key(path, named, owns):
    assert (thing(path), owner(path)) == (named, owns)
