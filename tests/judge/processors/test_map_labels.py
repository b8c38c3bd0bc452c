import pytest

from scorerkit.judge.misfit import Misfit
from scorerkit.judge.processors import build_processor

LABELS = {"relevant": 1, "irrelevant": 0, "not good": 0.2, "good": 0.9, "良い": 1, "C++": 3}


def mapped(answer, **options):
    return build_processor("output", "mapLabels", {"labels": LABELS, **options}).process_output(answer)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("It is irrelevant.", 0),
        ("relevant", 1),
        ("Relevant? Yes: relevant, relevant.", 1),
        ("This is not good", 0.2),
        ("とても良いです", 1),
        ("I say C++!", 3),
        ("goodness me, irrelevant", 0),
    ],
)
def test_the_one_label_that_occurs_gives_the_value(answer, value):
    assert mapped(answer) == {"score": value}


@pytest.mark.parametrize("answer", ["", "RELEVANT", "relevant or irrelevant", "goodness", "relevant_ish"])
def test_no_label_or_two_are_unusable(answer):
    with pytest.raises(Misfit, match="exactly one label"):
        mapped(answer)


def test_another_field_and_a_value_that_is_json_already():
    assert mapped("good", field="grade") == {"grade": 0.9}
    assert mapped({"a": 1}) == {"a": 1}
