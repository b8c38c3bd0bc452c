import pytest

from scorerkit import functions as f

VERDICTS = [{"v": "yes"}, {"v": "unsure"}, {"v": "no"}, {"v": "yes"}]


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        (["yes"], 0.5),
        (["yes", "unsure"], 0.75),
        (["maybe"], 0.0),
        ({"yes": 1, "unsure": 0.3, "no": 0}, 0.575),
        ({"yes": True, "unsure": 0, "no": -1}, 0.25),
    ],
)
def test_a_share_is_the_mean_weight(values, wanted):
    assert f.share(VERDICTS, "v", values) == pytest.approx(wanted, abs=1e-12)


def test_a_share_may_be_of_numbers_or_booleans():
    assert f.share([{"ok": True}, {"ok": False}], "ok", [True]) == 0.5
    assert f.share(({"n": n} for n in [1, 2, 2, 3]), "n", {1: 0, 2: 1, 3: 0}) == 0.5


@pytest.mark.parametrize(
    ("items", "values", "said"),
    [
        ([], ["yes"], "share of nothing: the list is empty"),
        ("yes", ["yes"], "share needs a list, not the text 'yes'"),
        ([{"v": "yes"}, {"w": "yes"}], ["yes"], "share: the item at index 1 has no 'v'"),
        ([{"v": "yes"}, "yes"], ["yes"], "share: the item at index 1 has no 'v'"),
        (
            VERDICTS,
            {"yes": 1, "no": 0},
            r"share: the text 'unsure' at index 1 has no weight; those that have: 'yes', 'no'",
        ),
        ([{"v": ["a"]}], {"a": 1}, "share: a list at index 0 has no weight"),
        ([{"v": "yes"}], {"yes": "1"}, "the weight of the text 'yes' is the text '1', not a number"),
        ([{"v": "yes"}], {"yes": float("nan")}, "is nan, not a number"),
        (VERDICTS, "yes", "share needs a list of values or a mapping"),
    ],
)
def test_a_share_without_an_answer_is_an_error(items, values, said):
    with pytest.raises(ValueError, match=said):
        f.share(items, "v", values)


def test_lists_of_one_length_are_aligned():
    assert f.aligned([1, 2], ["a", "b"]) == [1, 2]
    assert f.aligned([], []) == []
    assert f.aligned((n for n in [1]), (n for n in [2])) == [1]


@pytest.mark.parametrize(
    ("items", "other", "said"),
    [
        ([1], [1, 2], "aligned: 1 where 2 are needed"),
        ([1, 2, 3], [], "aligned: 3 where 0 are needed"),
        (None, [], "aligned needs a list, not null"),
        ([], "ab", "not the text 'ab'"),
    ],
)
def test_lists_of_two_lengths_are_an_error_with_both_counts(items, other, said):
    with pytest.raises(ValueError, match=said):
        f.aligned(items, other)


@pytest.mark.parametrize(
    ("relevant", "wanted"),
    [
        ([1], 1.0),
        ([True, True, False], 1.0),
        ([0, 1], 0.5),
        ([True, False, True], 5 / 6),
        ([0, 0], 0.0),
        ([False, True, 1.0], (1 / 2 + 2 / 3) / 2),
    ],
)
def test_average_precision_is_the_mean_precision_at_relevant_positions(relevant, wanted):
    assert f.average_precision(relevant) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    ("relevant", "said"),
    [
        ([], "of nothing"),
        ([1, "yes"], "not the text 'yes' at index 1"),
        ([0.5], "not 0.5 at index 0"),
        ("10", "needs a list"),
    ],
)
def test_average_precision_takes_only_true_and_false(relevant, said):
    with pytest.raises(ValueError, match=said):
        f.average_precision(relevant)
