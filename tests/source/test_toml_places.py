from __future__ import annotations

import pytest

from scorerkit.source import Document, parse_document

TEXT = '''\
# a scorer
id = "é x"
params."a b".max = 1
[judge]
model = """
hello
"""
settings = {temperature = 0, stop = ["a", {b = 2}]}
[[tests]]
name = 'a'
[[tests]]
name = 'b'
[tests.run]
output = "x"
[steps.generateScore]
expression = "1"
'''

PLACES = [
    (("id",), (2, 1), (2, 6)),
    (("params",), (3, 1), (3, 1)),
    (("params", "a b"), (3, 8), (3, 8)),
    (("params", "a b", "max"), (3, 14), (3, 20)),
    (("judge",), (4, 2), (4, 2)),
    (("judge", "model"), (5, 1), (5, 9)),
    (("judge", "settings", "stop", 1, "b"), (8, 44), (8, 48)),
    (("tests", 0, "name"), (10, 1), (10, 8)),
    (("tests", 1, "name"), (12, 1), (12, 8)),
    (("tests", 1, "run", "output"), (14, 1), (14, 10)),
    (("steps", "generateScore", "expression"), (16, 1), (16, 14)),
    (("steps", "generateScore"), (15, 8), (15, 8)),
    (("steps",), (15, 2), (15, 2)),
    (("steps", "analyze"), (15, 2), (15, 2)),
    ((), (1, 1), (2, 1)),
]


@pytest.fixture(scope="module")
def document():
    document = parse_document(TEXT, "s.toml", "toml")
    assert isinstance(document, Document)
    return document


@pytest.mark.parametrize(("path", "key", "value"), PLACES)
def test_keys_and_values_are_found(document, path, key, value):
    assert document.key_place(path)[:2] == key
    assert document.value_place(path)[:2] == value


def paths(value, path=()):
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield from paths(inner, (*path, key))


def test_every_path_of_the_value_has_a_place_of_its_own(document):
    from scorerkit.source.places import walk

    assert all(walk(document.spots(), path)[2] for path in paths(document.value))
