import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit import functions as f


def lcs(one, two):
    """The length of the longest common subsequence, by the textbook's table."""
    row = [0] * (len(two) + 1)
    for a in one:
        before = 0
        for j, b in enumerate(two, 1):
            before, row[j] = row[j], before + 1 if a == b else max(row[j], row[j - 1])
    return row[-1]


@given(st.text("ab c", max_size=15), st.text("ab c", max_size=15))
def test_the_ratio_is_twice_the_common_subsequence_over_both_lengths(one, two):
    wanted = 2 * lcs(one, two) / (len(one) + len(two)) if one or two else 1
    assert f.textual_difference(one, two)["ratio"] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("one", "two", "shown"),
    [
        ("", "", {"ratio": 1, "confidence": 1, "changes": 0, "lengthDiff": 0}),
        ("a  b", "a b", {"changes": 1}),
        ("a b c", "c b x y", {"changes": 2}),
        ("👍", "👎", {"ratio": 0.5}),
        ("日本語", "日本", {"ratio": 0.8}),
    ],
)
def test_differences_are_told(one, two, shown):
    found = f.textual_difference(one, two)
    assert {key: found[key] for key in shown} == pytest.approx(shown)


@given(st.text(max_size=30), st.text(max_size=30))
def test_every_number_is_a_share(one, two):
    found = f.textual_difference(one, two)
    assert all(0 <= found[key] <= 1 for key in ("ratio", "confidence", "lengthDiff"))
    assert found["changes"] >= (one != two)


def test_only_text_differs():
    with pytest.raises(ValueError, match="textual_difference needs text"):
        f.textual_difference("a", None)
