"""A file that is rewritten in the other form is the same scorer, and has the same problems."""

import pytest
from property_mutations import checked, mistakes_in, namespace, read
from property_writers import WRITERS, holds_null

from scorerkit.assembly import assemble
from scorerkit.build.digest import scorer_digest
from scorerkit.check import check_definition
from scorerkit.source import parse_document, read_document
from scorerkit.source.project import Territory


def value_or_skip(good):
    value = read(good)
    if holds_null(value):
        pytest.skip("TOML has no null")
    return value


def codes(value, syntax):
    return [problem.code for problem in checked(value, syntax)[1]]


def differences(value, *, every):
    mistakes = list(mistakes_in(value, every=every))
    for mistake in mistakes if every else mistakes[::3]:
        if not holds_null(mistake.value) and codes(mistake.value, "yaml") != codes(mistake.value, "toml"):
            yield mistake.what


@pytest.mark.parametrize("syntax", WRITERS)
def test_what_a_writer_of_these_tests_writes_is_read_as_it_was(good, syntax):
    value = value_or_skip(good)
    assert parse_document(WRITERS[syntax](value), f"x.{syntax}", syntax).value == value


def test_a_rewritten_file_has_the_same_digest(good):
    value = value_or_skip(good)
    document = read_document(good, good.name)
    original, _ = assemble(document, Territory(good.parent, good))
    check_definition(original, namespace())  # reads what its prompts include
    digests = {scorer_digest(checked(value, syntax)[0], namespace()) for syntax in WRITERS}
    assert digests == {scorer_digest(original, namespace())}


def test_a_rewritten_file_has_the_same_problems(good):
    assert list(differences(value_or_skip(good), every=False)) == []


@pytest.mark.slow
def test_a_rewritten_file_has_the_same_problems_for_every_mistake(good):
    assert list(differences(value_or_skip(good), every=True)) == []
