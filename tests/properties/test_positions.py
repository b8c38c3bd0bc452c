"""For every key of every good file: one mistake there is one problem, of the right code, on its line."""

import pytest
from property_mutations import checked, complaint, mistakes_in, read


def complaints(good, syntax, *, every):
    found = [complaint(mistake, syntax) for mistake in mistakes_in(read(good), every=every)]
    return [text for text in found if text]


def test_a_good_file_has_no_errors_as_it_is_rewritten(good):
    assert checked(read(good), "yaml")[1] == []


def test_one_mistake_is_one_problem_on_its_line(good):
    assert complaints(good, "yaml", every=False) == []


@pytest.mark.slow
def test_every_mistake_is_one_problem_on_its_line(good):
    assert complaints(good, "yaml", every=True) == []
