import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit import functions as f

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(VALUES)
def test_every_value_written_as_json_is_json(value):
    assert f.json_check(f.json(value)) == {"valid": True, "problems": []}


@pytest.mark.parametrize(
    "text", ["", "text", "{'a': 1}", "[1,]", "[NaN]", "// c\n1", '{"a": 1} trailing', "[" * 100_000]
)
def test_what_is_no_json_is_told(text):
    found = f.json_check(text)
    assert not found["valid"]
    assert found["problems"][0].startswith("it is not JSON")


@pytest.mark.parametrize(
    ("schema", "problems"),
    [
        ({"type": "array"}, ['{"a":[1,"x"]} is not of type "array"']),
        ({"properties": {"a": {"items": {"type": "integer"}}}}, ['a[1]: "x" is not of type "integer"']),
        (True, []),
        ({"$ref": "#/$defs/o", "$defs": {"o": {"type": "object"}}}, []),
    ],
)
def test_a_schema_says_where_a_value_does_not_fit(schema, problems):
    assert f.json_check('{"a": [1, "x"]}', schema) == {"valid": not problems, "problems": problems}


def test_ten_problems_are_enough():
    assert len(f.json_check("[" + ",".join(["1"] * 50) + "]", {"items": {"type": "string"}})["problems"]) == 10


@pytest.mark.parametrize("text", ["```json\n{}\n```", "```\n{}\n```\n", "  ```JSON\n{}```"])
def test_a_fence_is_taken_off_on_demand(text):
    assert f.json_check(text, fence=True)["valid"]
    assert not f.json_check(text)["valid"]


@pytest.mark.parametrize(
    "schema", [{"type": "colour"}, {"$ref": "https://example.com/s.json"}, {"$ref": "file:///etc/hosts"}]
)
def test_a_schema_that_cannot_be_used_is_an_error(schema):
    with pytest.raises(ValueError):
        f.json_check("{}", schema)
