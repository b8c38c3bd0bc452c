import pytest

END = "steps: {generateScore: {expression: run.output | length}}\n"
CASES = [
    ("range: {min: 0, max: 1}\nthreshold: 70\n", [("threshold-outside-range", 3, 12)]),
    ("range: {min: 0, max: 1}\nthreshold: -0.5\n", [("threshold-outside-range", 3, 12)]),
    ("range: {min: 0, max: 1}\nthreshold: 1\n", []),
    ("range: {min: 1}\nthreshold: 0\n", [("threshold-outside-range", 3, 12)]),
    ("range: {max: 1}\nthreshold: {min: 0, max: 2}\n", [("threshold-outside-range", 3, 26)]),
    (
        "range: {min: 0, max: 1}\nthreshold: {min: 2, max: 3}\n",
        [("threshold-outside-range", 3, 18), ("threshold-outside-range", 3, 26)],
    ),
    ("range: {min: 0, max: 1}\ngate: {mean: 5}\n", [("threshold-outside-range", 3, 14)]),
    ("range: {min: 0, max: 1}\ngate: {mean: {min: 5}}\n", [("threshold-outside-range", 3, 20)]),
    ("threshold: 70\n", []),
]


@pytest.mark.parametrize(("head", "expected"), CASES)
def test_a_bound_that_no_score_can_meet_is_pointed_at(places, head, expected):
    assert places(f"id: x\n{head}{END}") == expected
