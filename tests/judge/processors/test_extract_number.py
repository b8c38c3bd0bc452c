import pytest

from scorerkit.judge.misfit import Misfit
from scorerkit.judge.processors import build_processor


def extracted(answer, pattern=r"(?i)score: (\S+)", **options):
    return build_processor("output", "extractNumber", {"pattern": pattern, **options}).process_output(answer)


@pytest.mark.parametrize(
    ("answer", "value"),
    [("Score: 0.8", 0.8), ("Score: 7 - again: score: 7", 7), ("SCORE: -1e1", -10.0), ({"score": 1}, None)],
)
def test_the_number_of_the_pattern_becomes_the_field(answer, value):
    assert extracted(answer) == ({"score": value} if value is not None else answer)


def test_a_pattern_without_group_gives_its_whole_match():
    assert extracted("about 42.", pattern="[0-9]+", field="n") == {"n": 42}


@pytest.mark.parametrize(
    "answer", ["", "none", "Score: 1 score: 2", "Score: high", "Score: nan", "Score: 1_0", "Score: 1e999"]
)
def test_no_number_or_several_are_unusable(answer):
    with pytest.raises(Misfit):
        extracted(answer)
