import pytest

from scorerkit.judge.format import schema_format
from scorerkit.judge.misfit import Misfit, place, shown


@pytest.mark.parametrize(
    ("schema", "value", "told"),
    [
        ({"type": ["string", "null"]}, 1, "f was 1; it must be text or null"),
        ({"const": "a"}, "b", "f was 'b'; it must be 'a'"),
        ({"minimum": 1}, 0, "f was 0; the least is 1"),
        ({"maximum": 1}, 2, "f was 2; the most is 1"),
        ({"minItems": 2}, [1], "f has 1 items; at least 2 are wanted"),
        ({"maxItems": 1}, [1, 2], "f has 2 items; at most 1 are wanted"),
        ({"pattern": "^a"}, "b", "f was 'b'; it must match '^a'"),
        ({"properties": {"y": {}}, "additionalProperties": False}, {"x": 1}, "f has keys that are not allowed: 'x'"),
        ({"additionalProperties": False}, {"x": 1}, "f has a value that is not allowed: 1"),
        ({"required": ["x"]}, {}, "f has no 'x'"),
        ({"anyOf": [{"type": "string"}, {"minimum": 3}]}, 1, "f was 1 and fits none of the allowed forms"),
        ({"uniqueItems": True}, [1, 1], "f: "),
    ],
)
def test_each_fault_names_place_value_and_what_is_allowed(schema, value, told):
    with pytest.raises(Misfit) as caught:
        schema_format("a", {"type": "object", "properties": {"f": schema}}).accept({"f": value})
    assert told in str(caught.value)


def test_at_most_five_faults_are_told():
    form = schema_format("a", {"type": "array", "items": {"type": "string"}})
    with pytest.raises(Misfit) as caught:
        form.accept(list(range(100)))
    assert len(caught.value.faults) == 5


def test_long_values_are_cut():
    assert len(shown("x" * 500)) == 78
    assert shown({"a": "é"}) == '{"a": "é"}'


@pytest.mark.parametrize(("path", "text"), [([], "the answer"), (["a", 0, "b"], "a[0].b"), ([2], "[2]")])
def test_a_place_is_written_as_in_the_prompt(path, text):
    assert place(path) == text
