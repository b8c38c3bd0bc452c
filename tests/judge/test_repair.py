import pytest

from scorerkit.judge.repair import pointed, repaired


def fits(value, schema):
    return {"number": isinstance(value, (int, float)), "string": isinstance(value, str), "null": value is None}[
        schema["type"]
    ]


def test_tuples_and_free_keys_are_followed():
    schema = {
        "type": "object",
        "additionalProperties": {"prefixItems": [{"type": "string"}], "items": {"type": "number"}},
    }
    assert repaired({"k": ["1", "2"]}, schema, schema, fits, nulls=False) == {"k": ["1", 2]}


def test_the_first_branch_that_fits_after_correction_is_taken():
    schema = {"anyOf": [{"type": "null"}, {"type": "number"}]}
    assert repaired("7", schema, schema, fits, nulls=False) == 7
    assert repaired("x", schema, schema, fits, nulls=False) == "x"


def test_every_part_of_allof_is_applied():
    schema = {"allOf": [{"properties": {"a": {"type": "number"}}}, {"properties": {"b": {"type": "number"}}}]}
    assert repaired({"a": "1", "b": "2"}, schema, schema, fits, nulls=False) == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("reference", "found"),
    [("#", {"a/b": [{"c": 1}]}), ("#/a~1b/0/c", 1), ("#/a~1b/9", True), ("#/zz", True), ("other", True)],
)
def test_a_pointer_names_a_place_or_nothing(reference, found):
    assert pointed({"a/b": [{"c": 1}]}, reference) == found


def test_references_in_a_circle_end():
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert repaired("1", schema, schema, fits, nulls=True) == "1"
