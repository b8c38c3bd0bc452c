from __future__ import annotations

import pytest

from scorerkit.source.words import kind_of

KINDS = [
    (None, "null", "null"),
    (True, "true", "true"),
    (False, "false", "false"),
    (1, "a number", "a number"),
    (1.5, "a number", "a number"),
    ("", "text", "a string"),
    ([], "a list", "an array"),
    ({}, "a mapping", "a table"),
]


@pytest.mark.parametrize(("value", "yaml", "toml"), KINDS)
def test_kinds_are_named_in_the_authors_words(value, yaml, toml):
    assert (kind_of(value), kind_of(value, "toml")) == (yaml, toml)
