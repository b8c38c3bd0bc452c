from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from scorerkit.dataset.compact import Numbers
from scorerkit.dataset.identity import Census, StreamedNames, SurveyedNames, content_id

names = st.lists(st.sampled_from(["a", "b", "a-2", "a-3", "a-2-2", "c", None]), max_size=30)


@given(st.lists(st.tuples(st.text(max_size=3), st.integers(1, 2**63)), max_size=3000))
def test_a_compact_table_answers_as_a_dict_does(pairs):
    table, known = Numbers(), {}
    for text, number in pairs:
        assert table.get(text) == known.get(text, 0)
        table.set(text, number)
        known[text] = number
    assert all(table.get(text) == number for text, number in known.items())


def test_a_compact_table_grows():
    table = Numbers()
    for number in range(1, 20_001):
        table.set(f"r{number}", number)
    assert all(table.get(f"r{number}") == number for number in range(1, 20_001))
    assert table.get("r0") == 0


@given(names)
def test_surveyed_names_are_all_different_and_first_ones_stay(given):
    row = {"output": 1}
    census = Census()
    for name in given:
        census.add(hash(name or content_id(row)))
    census.settle()
    repeated = Counter(name for name in given if name)
    surveyed = SurveyedNames(census, frozenset(name for name in repeated if repeated[name] > 1))
    final = [surveyed.final(name, row, line) for line, name in enumerate(given, 1)]
    assert len(set(final)) == len(final)
    first = {name: final[given.index(name)] for name in repeated}
    assert all(name == kept for name, kept in first.items())


@given(names)
def test_streamed_names_are_all_different(given):
    streamed = StreamedNames(suffix=True)
    final = [streamed.final(name, {"output": 1}, line) for line, name in enumerate(given, 1)]
    assert len(set(final)) == len(final)


def test_the_order_of_keys_and_the_id_itself_are_no_content():
    assert content_id({"a": 1, "b": 2}) == content_id({"b": 2, "a": 1, "runId": None})
    assert content_id({"a": 1}) != content_id({"a": 1.0})
    assert len(content_id({})) == 16
