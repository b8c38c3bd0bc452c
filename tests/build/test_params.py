import pytest

from scorerkit import load_scorer
from scorerkit.errors import ScorerkitError

TEXT = """
    id: s
    params:
      number: {type: number, maximum: 1, default: 0.5}
      text: {type: string, default: a}
      either: {type: [string, number], default: 1}
      words: {type: array, items: {type: string}, default: []}
      any: {default: null}
      flag: {type: boolean, default: false}
      choice: {enum: [low, high, 3], default: low}
    steps: {generateScore: {expression: "1"}}
"""


@pytest.fixture
def params(write):
    return lambda **given: load_scorer(write("s.yaml", TEXT), params=given).plan.params


def test_defaults_hold_where_nothing_is_given(params):
    assert params() == {
        "number": 0.5, "text": "a", "either": 1, "words": [], "any": None, "flag": False, "choice": "low",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("number", "0.25", 0.25),
        ("number", 1, 1),
        ("number", "1e-3", 0.001),
        ("text", "3", "3"),
        ("text", "[1]", "[1]"),
        ("either", "3", "3"),
        ("words", '["a", "b"]', ["a", "b"]),
        ("words", ("a",), ["a"]),
        ("any", "3", "3"),
        ("flag", "true", True),
        ("choice", "high", "high"),
        ("choice", "3", 3),
    ],
)
def test_text_stays_text_where_that_is_allowed_and_is_json_otherwise(params, name, given, value):
    assert params(**{name: given})[name] == value


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("number", "2", "2"),
        ("number", "high", "'high'"),
        ("number", "NaN", "a number is wanted"),
        ("number", float("nan"), "nan"),
        ("words", "a, b", "JSON"),
        ("words", "[1]", "1"),
        ("flag", "yes", "'yes'"),
        ("choice", "lo", "lo"),
        ("numbr", "1", "numbr"),
        ("text", object(), "object"),
    ],
)
def test_a_value_that_does_not_fit_is_a_bad_param(params, name, given, words):
    with pytest.raises(ScorerkitError) as caught:
        params(**{name: given})
    assert caught.value.code == "bad-param"
    assert words in caught.value.message


def test_a_misspelt_name_gets_a_suggestion(params):
    with pytest.raises(ScorerkitError) as caught:
        params(numbr=1)
    assert "'number'" in caught.value.fix


def test_a_param_without_default_must_be_given(write):
    text = "id: s\nparams: {w: {type: number}}\nsteps: {generateScore: {expression: params.w}}\n"
    with pytest.raises(ScorerkitError, match="'w'") as caught:
        load_scorer(write("s.yaml", text))
    assert (caught.value.code, caught.value.fix) == ("bad-param", "-p w=…")
    assert load_scorer("s.yaml", params={"w": 2}).run_sync(output=1).score == 2


@pytest.mark.parametrize(
    ("name", "given", "message", "fix"),
    [
        ("number", "two", "the param 'number' cannot be 'two': a number is wanted", None),
        ("flag", "yes", "the param 'flag' cannot be 'yes': true or false is wanted", None),
        ("words", "Paris", "the param 'words' cannot be 'Paris': a list is wanted, as JSON", "-p words='[\"Paris\"]'"),
        ("words", '"Paris"', "the param 'words' cannot be 'Paris': ", "-p words='[\"Paris\"]'"),
        ("words", "5", "the param 'words' cannot be 5: ", None),
    ],
)
def test_a_value_that_does_not_fit_says_what_would(params, name, given, message, fix):
    with pytest.raises(ScorerkitError) as caught:
        params(**{name: given})
    assert (caught.value.message[: len(message)], caught.value.fix) == (message, fix)
