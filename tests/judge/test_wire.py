import pytest
from judge_loopback import strict_fault

from scorerkit.judge.wire import wire_schema


def obj(properties, required=(), **more):
    return {"type": "object", "properties": properties, "required": list(required), **more}


def adapted(schema):
    wire, strict = wire_schema(schema)
    assert strict
    assert strict_fault(wire) is None
    return wire


def field(schema, *, required=True):
    return adapted(obj({"f": schema}, ["f"] if required else []))["properties"]["f"]


def test_objects_are_closed_and_all_properties_required():
    wire = adapted(
        obj({"b": {"type": "string"}, "a": obj({"x": {"type": "number"}})}, ["b"], additionalProperties=True)
    )
    assert wire["required"] == ["b", "a"]
    assert wire["additionalProperties"] is False
    assert wire["properties"]["a"]["anyOf"][0]["required"] == ["x"]


@pytest.mark.parametrize(
    ("schema", "nullable"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"enum": ["a", "b"]}, {"type": ["string", "null"], "enum": ["a", "b", None]}),
        ({"const": 1}, {"anyOf": [{"type": "integer", "const": 1}, {"type": "null"}]}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (
            {"oneOf": [{"type": "string"}, {"type": "number"}]},
            {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]},
        ),
        (
            {"type": "array", "items": {"type": "string"}, "description": "d"},
            {"description": "d", "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        ),
    ],
)
def test_an_optional_property_may_be_null(schema, nullable):
    assert field(schema, required=False) == nullable


@pytest.mark.parametrize(
    ("schema", "kept"),
    [
        ({"type": "number", "minimum": 0, "multipleOf": 2, "default": 1}, {"type": "number"}),
        ({"type": "string", "minLength": 1, "pattern": "a", "format": "date", "examples": ["x"]}, {"type": "string"}),
        (
            {"type": "array", "items": {"type": "number"}, "minItems": 1, "uniqueItems": True},
            {"type": "array", "items": {"type": "number"}},
        ),
        ({"type": "string", "description": "d", "title": "t", "$comment": "c"}, {"type": "string", "description": "d"}),
        (
            {"oneOf": [{"type": "string"}, {"type": "number", "minimum": 1}]},
            {"anyOf": [{"type": "string"}, {"type": "number"}]},
        ),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]},
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}]}},
        ),
        ({"type": "array", "prefixItems": [{"type": "string"}]}, {"type": "array", "items": {"type": "string"}}),
    ],
)
def test_keywords_that_strict_modes_refuse_are_dropped(schema, kept):
    assert field(schema) == kept


def test_the_objects_of_allof_are_put_together():
    schema = {"type": "object", "allOf": [obj({"a": {"type": "string"}}, ["a"]), obj({"b": {"type": "number"}})]}
    assert adapted(schema)["properties"] == {"a": {"type": "string"}, "b": {"type": ["number", "null"]}}


def test_definitions_are_kept_and_adapted():
    schema = obj({"a": {"$ref": "#/$defs/x", "description": "dropped"}}, ["a"]) | {
        "$defs": {"x": obj({"n": {"type": "integer"}})}
    }
    wire = adapted(schema)
    assert wire["properties"]["a"] == {"$ref": "#/$defs/x"}
    assert wire["$defs"]["x"]["required"] == ["n"]


def test_a_wrapped_root_keeps_its_references_working():
    tree = {
        "type": "array",
        "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/$defs/leaf"}]},
        "$defs": {"leaf": {"type": "string"}},
    }
    wire = adapted(tree)
    assert wire["properties"]["value"]["items"]["anyOf"] == [{"$ref": "#/properties/value"}, {"$ref": "#/$defs/leaf"}]
    assert wire["$defs"] == {"leaf": {"type": "string"}}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        obj({"m": {"type": "object", "additionalProperties": {"type": "number"}}}),
        obj({"anything": {}}),
        obj({"anything": True}),
        obj({"list": {"type": "array"}}),
        obj({"a": {"type": "string"}}, ["a", "undeclared"]),
        obj({"a": {"type": "string"}}, patternProperties={"^x": {"type": "string"}}),
        {"type": "object", "allOf": [{"$ref": "#/$defs/x"}], "$defs": {"x": obj({"a": {"type": "string"}})}},
    ],
    ids=str,
)
def test_what_strict_mode_cannot_say_goes_out_as_written(schema):
    assert wire_schema(schema) == (schema, False)
