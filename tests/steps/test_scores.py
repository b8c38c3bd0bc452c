import pytest

from scorerkit.errors import NotScorable, RecordError
from scorerkit.steps.scores import as_reason, as_result, as_score, convert

AT = {"path": "s.yaml", "line": 3}


@pytest.mark.parametrize(("value", "score"), [(1, 1), (0.5, 0.5), (True, 1), (False, 0), (-2, -2)])
def test_numbers_stay_what_they_are_and_booleans_become_numbers(value, score):
    assert (as_score(value, AT), type(as_score(value, AT))) == (score, type(score))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("0.9", "'0.9', which is text"),
        (None, "null"),
        ([1], "a list"),
        ({}, "a mapping"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (10**400, "too large"),
        (10**5000, "too large"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_is_no_finite_number_is_a_bad_score_that_shows_it(value, words):
    with pytest.raises(RecordError) as caught:
        as_score(value, AT)
    assert (caught.value.code, caught.value.at) == ("bad-score", AT)
    assert words in caught.value.message


def test_numbers_of_numeric_libraries_are_numbers():
    class Scalar:
        def __init__(self, value):
            self.value = value

        def item(self):
            if isinstance(self.value, Exception):
                raise self.value
            return self.value

    assert [as_score(Scalar(value), AT) for value in (0.5, True, 3)] == [0.5, 1, 3]
    for value in ("text", float("nan"), ValueError("two of them"), None):
        with pytest.raises(RecordError, match="generateScore"):
            as_score(Scalar(value), AT)


@pytest.mark.parametrize("value", [None, "", "because"])
def test_a_reason_is_text_or_nothing(value):
    assert as_reason(value, AT) == value


@pytest.mark.parametrize("value", [1, ["x"], {"x": 1}, True])
def test_anything_else_is_no_reason(value):
    with pytest.raises(RecordError) as caught:
        as_reason(value, AT)
    assert (caught.value.code, caught.value.at) == ("step-failed", AT)


@pytest.mark.parametrize("value", [object(), float("nan"), {1: 2}, b"x", print])
def test_a_result_that_is_no_json_fails_naming_its_type(value):
    with pytest.raises(RecordError) as caught:
        as_result(value, AT)
    assert (caught.value.code, caught.value.at) == ("step-failed", AT)


def test_a_result_that_contains_itself_fails():
    ring = []
    ring.append(ring)
    with pytest.raises(RecordError, match="nested deeper"):
        as_result(ring, AT)


@pytest.mark.parametrize("step", ["preprocess", "analyze", "generateScore"])
def test_a_verdict_that_is_returned_is_raised(step):
    with pytest.raises(NotScorable, match="why"):
        convert(step, NotScorable("why"), AT)


def test_each_step_has_its_rule():
    assert convert("preprocess", (1, {2}), AT) == [1, [2]]
    assert convert("generateScore", True, AT) == 1
    assert convert("generateReason", "x", AT) == "x"
