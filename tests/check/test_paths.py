import pytest

from scorerkit.check.paths import OPEN, Known, closed, described, field, holds_text, item, only_type

PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
FIELDS = [
    (PERSON, "name", "name"),
    (PERSON, "nme", None),
    ({**PERSON, "additionalProperties": True}, "other", "other"),
    ({**PERSON, "additionalProperties": {"type": "number"}}, "other", "other"),
    ({**PERSON, "patternProperties": {"^x": {}}}, "xa", "xa"),
    ({"type": "object"}, "any", "any"),
    ({"type": "object", "additionalProperties": {"type": "number"}}, "any", "any"),
    ({}, "any", "any"),
    (True, "any", "any"),
    ({"type": "string"}, "any", None),
    ({"anyOf": [{"type": "string"}, PERSON]}, "name", "name"),
    ({"oneOf": [{"type": "string"}, {"type": "null"}]}, "name", None),
    ({"allOf": [PERSON]}, "other", "value"),
    ({"if": {}, "then": PERSON}, "other", "value"),
    ({"$ref": "#/$defs/p", "$defs": {"p": PERSON}}, "name", "name"),
    ({"$ref": "#/$defs/p", "$defs": {"p": PERSON}}, "nme", None),
    ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": PERSON}}, "nme", None),
    ({"$ref": "#/nowhere"}, "any", "any"),
    ({"$ref": "other.json"}, "any", "any"),
    ({"$ref": "#/type/x", "type": "string"}, "any", "any"),
    ({"$ref": "#"}, "any", "any"),
    ({"$ref": "#/anyOf/0", "anyOf": [PERSON]}, "any", "any"),
]


@pytest.mark.parametrize(("schema", "name", "label"), FIELDS)
def test_a_field_is_known_open_or_impossible(schema, name, label):
    found, _ = field(Known(schema, schema), name)
    assert (found and found.label) == label


def test_a_field_that_cannot_be_says_which_can():
    assert field(Known(PERSON, PERSON), "nme") == (None, ["name", "age"])
    assert field(closed("run", {"input": OPEN}), "inptu") == (None, ["input"])
    assert field(closed("run", {"input": OPEN}), "input")[0] is OPEN


def test_an_entry_of_a_list_is_known_where_there_is_one_kind():
    one = {"type": "array", "items": PERSON}
    assert item(Known(one, one)).schema == PERSON
    assert item(Known({"anyOf": [one, one]}, {})) is OPEN
    assert item(Known({"type": "array"}, {})) is OPEN


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": ["string", "null"]}, "string"),
        ({"type": ["string", "number"]}, None),
        ({"anyOf": [{"type": "string"}, {}]}, None),
        ({}, None),
    ],
)
def test_the_only_type_leaves_null_aside(schema, kind):
    assert only_type(Known(schema, schema)) == kind


@pytest.mark.parametrize(
    ("schema", "holds"),
    [
        ({}, True),
        ({"type": "string"}, True),
        ({"type": "number"}, False),
        ({"type": ["number", "null"]}, False),
        ({"enum": ["a"]}, False),
        ({"const": "a"}, False),
        ({"type": "array", "items": {"type": "number"}}, False),
        ({"type": "array", "items": {"type": "string"}}, True),
        ({"type": "array"}, True),
        ({"type": "object"}, True),
        ({"type": "object", "properties": {"a": {"type": "number"}, "b": {"enum": [1]}}}, False),
        ({"type": "object", "properties": {"a": {"type": "number"}, "b": {}}}, True),
        ({"anyOf": [{"type": "number"}, {"type": "string"}]}, True),
        ({"type": "array", "items": {"$ref": "#"}}, True),
    ],
)
def test_text_is_held_by_what_may_be_text(schema, holds):
    assert holds_text(Known(schema, schema)) is holds


def test_a_value_of_closed_fields_holds_text_and_no_schema_is_open():
    assert holds_text(closed("run", {}))
    assert described(None, "x") is OPEN
