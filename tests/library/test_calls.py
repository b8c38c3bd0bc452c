import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit import functions as f
from scorerkit.errors import NotScorable
from scorerkit.testing import message, tool_call

NAMES = st.lists(st.sampled_from("abc"), max_size=5)


def calling(*names):
    return [message("assistant", "done", *[tool_call(name, call_id=f"c{index}") for index, name in enumerate(names)])]


@pytest.mark.parametrize(
    ("names", "tool", "order", "strict", "outcome"),
    [
        ("ab", "a", None, False, (True, None)),
        ("ab", "a", None, True, (False, None)),
        ("a", "a", None, True, (True, None)),
        ("", "a", None, False, (False, None)),
        ("axb", None, ["a", "b"], False, (False, True)),
        ("ba", None, ["a", "b"], False, (False, False)),
        ("axb", None, ["a", "b"], True, (False, False)),
        ("aab", None, ["a", "a"], False, (False, False)),
        ("aa", None, ["a", "a"], True, (False, True)),
        ("a", None, [], False, (False, True)),
    ],
)
def test_calls_are_the_expected_ones(names, tool, order, strict, outcome):
    found = f.tool_call_accuracy(calling(*names), tool, order, strict)
    assert found["actualTools"] == list(names)
    assert (found["correctToolCalled"], found["correctOrderCalled"]) == outcome


@pytest.mark.parametrize("tool", [None, ""])
def test_without_an_expectation_there_is_nothing_to_score(tool):
    with pytest.raises(NotScorable, match="nothing is expected"):
        f.tool_call_accuracy(calling("a"), tool)


@given(NAMES, st.data())
def test_a_list_without_some_items_is_a_subsequence(names, data):
    kept = data.draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names)))
    assert f.is_subsequence([name for name, keep in zip(names, kept, strict=True) if keep], names)


@pytest.mark.parametrize(("names", "of"), [("ab", "ba"), ("aa", "a"), ("x", "")])
def test_other_lists_are_not(names, of):
    assert not f.is_subsequence(list(names), list(of))


@pytest.mark.parametrize(
    ("call", "errors"),
    [
        (tool_call("a", result=1), 0),
        (tool_call("a", result={"error": None}), 0),
        (tool_call("a", result={"error": ""}), 0),
        (tool_call("a", result={"error": {}}), 1),
        (tool_call("a", result={"error": "x"}), 1),
        (tool_call("a", state="call"), 1),
        (tool_call("a", state="partial-call"), 0),
        (tool_call("a", state="output-error", result="x"), 1),
    ],
)
def test_failed_and_unanswered_calls_are_errors(call, errors):
    found = f.tool_errors([message("assistant", None, call)])
    assert found == {"errorCount": errors, "totalCalls": 1, "failedTools": ["a"] * errors}
