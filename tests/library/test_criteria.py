import pytest

from scorerkit import functions as f


def of(*texts):
    return [{"description": text, "required": True} for text in texts]


@pytest.mark.parametrize(
    ("given", "criteria"),
    [
        (None, []),
        ("", []),
        ([], []),
        ("- a\n* b\n\n2) c\n3. d\n[x] e\n- [ ] f", of("a", "b", "c", "d", "e", "f")),
        (["a", {"description": " b "}], of("a", "b")),
        ([{"description": "a", "required": False}], [{"description": "a", "required": False}]),
        ("都市の名前がある", of("都市の名前がある")),
    ],
)
def test_criteria_are_read_from_lists_and_lines(given, criteria):
    assert f.checklist(given) == criteria


@pytest.mark.parametrize(
    ("given", "words"),
    [(1, "a list or text"), ([1], "a criterion is"), ([{"text": "a"}], "a criterion is"), ("a\na", "given twice")],
)
def test_what_is_no_list_of_criteria_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        f.checklist(given)


def verdict(text, satisfied, **more):
    return {"criterion": text, "satisfied": satisfied, **more}


@pytest.mark.parametrize(
    ("verdicts", "criteria", "met"),
    [
        ([verdict("b", True), verdict("a", True)], ["a", "b"], True),
        ([verdict("a", True), verdict("b", False, required=False)], ["a", "b"], False),
        ([verdict("a", False)], [{"description": "a", "required": False}], False),
        ([verdict("a", True), verdict("b", False)], ["a", {"description": "b", "required": False}], True),
    ],
)
def test_required_criteria_must_be_met(verdicts, criteria, met):
    assert f.criteria_met(verdicts, f.checklist(criteria)) is met


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([{"i": 0}], "none is about 1"),
        ([{"i": 0}, {"i": 1}, {"i": 1}], "several are about 1"),
        ([{"i": 0}, {"i": 1}, {"i": 2}], "nobody asked about 2"),
        ([{"i": 1}, {"i": 2}], "none is about 0; nobody asked about 2"),
        ([{}], "has no 'i'"),
    ],
)
def test_verdicts_that_do_not_match_are_named(items, words):
    with pytest.raises(ValueError, match=words):
        f.matched(items, "i", range(2))


def test_matched_verdicts_come_in_the_order_of_what_they_are_about():
    assert f.matched([{"i": 1}, {"i": 0}], "i", range(2)) == [{"i": 0}, {"i": 1}]
    assert f.matched([{"t": " b"}, {"t": "a"}], "t", ["a", "b"]) == [{"t": "a"}, {"t": " b"}]
