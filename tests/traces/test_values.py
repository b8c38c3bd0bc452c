import pytest

from scorerkit.traces.values import branch, flat, grown, milliseconds, number, parsed, span_id, trace_id


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("4BEDEA77BB33B9C5F280371EAE21EA97", "4bedea77bb33b9c5f280371eae21ea97"),
        ("S+3qd7szucXygDceriHqlw==", "4bedea77bb33b9c5f280371eae21ea97"),
        (100927429609276267646756448943279827607, "4bedea77bb33b9c5f280371eae21ea97"),
        ("0x4bedea77bb33b9c5f280371eae21ea97", "4bedea77bb33b9c5f280371eae21ea97"),
        ("my own id", "my own id"),
        ("!+3qd7szucXygDceriHqlw==", "!+3qd7szucXygDceriHqlw=="),
        ("", ""), (None, ""), (True, ""), (-1, ""), ([], ""),
    ],
)  # fmt: skip
def test_an_id_is_hexadecimal_whatever_spelled_it(value, found):
    assert trace_id(value) == found


def test_ids_of_spans_have_eight_bytes():
    assert span_id("qwiv6jVIxUc=") == span_id(12324293800750531911) == "ab08afea3548c547"


@pytest.mark.parametrize(
    ("value", "found"),
    [('{"a": 1}', {"a": 1}), ('"[1]"', [1]), ("[1", "[1"), ("plain", "plain"), ("5", "5"), (None, None), ({"a": "[1]"}, {"a": "[1]"})],
)  # fmt: skip
def test_json_in_text_is_read(value, found):
    assert parsed(value) == found


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ({"a.0.b": 1, "a.1.b": 2}, [{"b": 1}, {"b": 2}]),
        ({"a.1.b": 2, "a.0.b": 1, "a.10.b": 3}, [{"b": 1}, {"b": 2}, {"b": 3}]),
        ({"a": '[{"b.c": 1}]'}, [{"b": {"c": 1}}]),
        ({"a": [{"b": 1}]}, [{"b": 1}]),
        ({"a.b": 1}, {"b": 1}),
        ({"ab": 1}, None),
    ],
)
def test_a_branch_of_attributes_grows_from_its_keys(attributes, found):
    assert branch(attributes, "a") == found


def test_nested_attributes_become_flat_and_back():
    assert flat({"a": {"b": {"c": 1}, "d": [1]}, "e": {}}) == {"a.b.c": 1, "a.d": [1], "e": {}}
    assert grown({"a.b.c": 1, "a.d": [1]}) == {"a": {"b": {"c": 1}, "d": [1]}}
    assert flat(None) == {}


@pytest.mark.parametrize(
    ("value", "found"), [("1500000", 1.5), (2_000_000, 2.0), ("soon", None), (None, None), ("0", None)]
)
def test_nanoseconds_become_milliseconds(value, found):
    assert milliseconds(value) == found


@pytest.mark.parametrize(
    ("value", "found"), [(3, 3), ("7", 7), ("x", None), (-1, None), (True, None), (None, None), ("9" * 30, None)]
)
def test_counts_may_stand_in_text(value, found):
    assert number(value) == found
