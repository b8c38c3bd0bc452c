import json
import math

import pytest

from scorerkit.judge.format import levels_format, schema_format, score_format
from scorerkit.judge.misfit import Misfit
from scorerkit.judge.reading import Unreadable

VERDICTS = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "verdict": {"type": "string", "enum": ["yes", "no", "unsure"]},
                    "note": {"type": "string"},
                },
                "required": ["verdict"],
            },
        }
    },
    "required": ["verdicts"],
}


def verdicts():
    return schema_format("analyze", VERDICTS)


def refused(form, value, **how):
    with pytest.raises(Misfit) as caught:
        form.accept(value, **how)
    return caught.value


def test_an_answer_that_fits_is_returned_as_it_is():
    answer = {"verdicts": [{"verdict": "yes", "note": "fine", "more": 1}]}
    assert verdicts().accept(answer) is answer


def test_a_wrong_word_is_told_with_its_place_and_the_allowed_words():
    fault = refused(verdicts(), {"verdicts": [{"verdict": "yes"}, {"verdict": "YES"}]})
    assert str(fault) == "verdicts[1].verdict was 'YES'; allowed: 'yes', 'no', 'unsure'"
    assert fault.code == "unusable-answer"


def test_nulls_that_only_the_wire_asked_for_are_removed():
    native = {"verdicts": [{"verdict": "yes", "note": None}, {"verdict": "no", "note": "weak"}]}
    assert verdicts().accept(native, native=True) == {
        "verdicts": [{"verdict": "yes"}, {"verdict": "no", "note": "weak"}]
    }
    assert native["verdicts"][0] == {"verdict": "yes", "note": None}


def test_a_null_that_the_author_allows_stays():
    form = schema_format(
        "a", {"type": "object", "properties": {"n": {"type": ["string", "null"]}, "x": {"type": "string"}}}
    )
    assert form.accept({"n": None, "x": None}, native=True) == {"n": None}


def test_a_null_in_an_answer_to_the_schema_as_written_is_a_fault():
    assert "note was null; it must be text" in str(refused(verdicts(), {"verdicts": [{"verdict": "no", "note": None}]}))


def test_a_required_null_is_never_removed():
    assert "verdict was null" in str(refused(verdicts(), {"verdicts": [{"verdict": None}]}, native=True))


@pytest.mark.parametrize(
    ("kind", "text", "number"),
    [
        ("number", "0.8", 0.8),
        ("number", " 1 ", 1),
        ("integer", "3", 3),
        ("number", "-1e2", -100.0),
        (["number", "null"], "2", 2),
    ],
)
def test_a_number_as_text_becomes_a_number_where_one_is_wanted(kind, text, number):
    form = schema_format("a", {"type": "object", "properties": {"n": {"type": kind}}, "required": ["n"]})
    value = form.accept({"n": text})["n"]
    assert value == number
    assert type(value) is type(number)


@pytest.mark.parametrize("text", ["", "high", "80%", "1,5", "0x1", "1e999", "NaN", "\uff11", "1_0", "9" * 400])
def test_text_that_is_no_json_number_stays_text_and_is_refused(text):
    assert refused(score_format(), {"score": text})


def test_text_stays_text_where_text_is_allowed():
    form = schema_format("a", {"type": "object", "properties": {"n": {"type": ["number", "string"]}}})
    assert form.accept({"n": "3"}) == {"n": "3"}


def test_branches_and_references_are_corrected_too():
    schema = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]}}},
        "required": ["items"],
        "$defs": {
            "n": {"type": "object", "properties": {"v": {"type": "number"}, "w": {"type": "string"}}, "required": ["v"]}
        },
    }
    answer = {"items": [{"v": "1.5", "w": None}, None]}
    assert schema_format("a", schema).accept(answer, native=True) == {"items": [{"v": 1.5}, None]}


def test_a_root_that_is_no_object_is_wrapped_for_the_wire_and_unwrapped_after():
    form = schema_format("a", {"type": "array", "items": {"type": "string"}})
    assert form.wire == {
        "type": "object",
        "properties": {"value": {"type": "array", "items": {"type": "string"}}},
        "required": ["value"],
        "additionalProperties": False,
    }
    assert form.strict
    assert form.accept({"value": ["a"]}, native=True) == ["a"]
    assert form.read('Here: ["a"]') == ["a"]
    assert "one key 'value'" in str(refused(form, ["a"], native=True))


def test_a_bare_scalar_is_accepted_where_the_schema_wants_one():
    form = schema_format("a", {"type": "number"})
    assert form.read("0.7") == 0.7
    with pytest.raises(Unreadable):
        form.read("about 0.7")
    with pytest.raises(Misfit, match="must be a JSON object"):
        score_format().read("0.7")


@pytest.mark.parametrize(
    ("value", "code", "told"),
    [
        (9.5, "out-of-range", "score was 9.5; it must be a number from 0 to 1"),
        (-0.001, "out-of-range", "-0.001"),
        (10**400, "out-of-range", "1000"),
        (True, "unusable-answer", "score was true; it must be a number"),
        (None, "unusable-answer", "score was null"),
        ("high", "unusable-answer", "score was 'high'"),
        ([1], "unusable-answer", "score was [1]"),
    ],
)
def test_a_score_is_a_number_in_its_range(value, code, told):
    fault = refused(score_format(0, 1), {"score": value})
    assert fault.code == code
    assert told in str(fault)


@pytest.mark.parametrize("value", [0, 1, 0.5, "0.8"])
def test_the_ends_of_the_range_belong_to_it(value):
    assert score_format(0, 1).accept({"score": value, "confidence": "high"})["score"] == float(value)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_score_without_a_range_is_finite_all_the_same(value):
    assert refused(score_format(), {"score": value})


def test_a_missing_score_is_told_by_name():
    assert str(refused(score_format(), {"rating": 1})) == "'score' is missing"


def test_the_range_is_told_in_words_and_not_sent_as_bounds():
    form = score_format(1, 5)
    assert form.strict
    assert form.wire["properties"]["score"] == {"type": "number", "description": "The score: a number from 1 to 5."}
    assert score_format(minimum=0).schema["properties"]["score"]["description"] == "The score: a number of at least 0."


def test_levels_ask_for_reasoning_before_the_label_and_accept_a_label_alone():
    form = levels_format({"good": (1.0, "polite and clear"), "bad": (0.0, None)})
    assert list(form.wire["properties"]) == ["reasoning", "label"]
    assert form.told.splitlines()[1:] == ["- good: polite and clear", "- bad"]
    assert form.accept({"label": "good", "explanation": "x"}) == {"label": "good", "explanation": "x"}
    assert "allowed: 'good', 'bad'" in str(refused(form, {"reasoning": "r", "label": "Good"}))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "int"},
        {"$ref": "http://127.0.0.1:1/schema"},
        {"$ref": "file:///etc/passwd"},
        {"$ref": "#/$defs/nothing"},
        {"type": "string", "pattern": "("},
        7,
    ],
    ids=str,
)
def test_a_schema_that_cannot_be_built_is_refused_with_a_reason(schema):
    with pytest.raises(ValueError, match=r"\S"):
        schema_format("analyze", schema)


def test_formats_are_checked():
    form = schema_format("a", {"type": "object", "properties": {"d": {"type": "string", "format": "date"}}})
    assert "must have the format 'date'" in str(refused(form, {"d": "soon"}))


def test_an_answer_nested_without_end_is_a_misfit():
    schema = {
        "$ref": "#/$defs/tree",
        "$defs": {"tree": {"type": "object", "properties": {"t": {"$ref": "#/$defs/tree"}}}},
    }
    form = schema_format("a", schema)
    text = '{"t":' * 400 + "1" + "}" * 400
    with pytest.raises(Misfit):
        form.read(text)


def test_a_branch_with_a_reference_to_elsewhere_decides_nothing():
    schema = {"type": "object", "properties": {"a": {"type": "number"}, "b": {"anyOf": [{"$ref": "#/properties/a"}]}}}
    assert refused(schema_format("s", schema), {"b": "1"})


def test_the_authors_schema_is_not_changed():
    schema = json.loads(json.dumps(VERDICTS))
    schema_format("analyze", schema).accept({"verdicts": [{"verdict": "no", "note": None}]}, native=True)
    assert schema == VERDICTS
