import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorerkit.judge.digest import digest
from scorerkit.judge.format import schema_format, score_format
from scorerkit.judge.transport import Request
from scorerkit.model.judge import Message, Target

FORM = score_format(0, 1)


def request(**changes):
    fields = {
        "target": Target("openai", "m", base_url="http://a"),
        "messages": (Message("user", "q"),),
        "format": FORM,
        "native": False,
        "settings": {"temperature": 0},
        "run_id": "r1",
        "step": "generateScore",
        "sample": 0,
    }
    return Request(**{**fields, **changes})


@pytest.mark.parametrize(
    "same",
    [
        {"run_id": "r2"},
        {"step": "analyze"},
        {"target": Target("openai", "m", base_url="http://b", max_concurrency=3)},
        {"settings": {"timeoutMs": 1, "temperature": 0}},
        {"format": score_format(0, 1)},
    ],
    ids=str,
)
def test_what_does_not_change_the_question_does_not_change_its_digest(same):
    assert digest(request(**same)) == digest(request())


@pytest.mark.parametrize(
    "other",
    [
        {"target": Target("openai", "n")},
        {"target": Target("ollama", "m")},
        {"messages": (Message("system", "q"),)},
        {"messages": (Message("user", "q "),)},
        {"format": None},
        {"format": score_format(0, 2)},
        {"format": schema_format("a", {"type": "number"})},
        {"native": True},
        {"settings": {"temperature": 1}},
        {"settings": {}},
        {"sample": 1},
    ],
    ids=str,
)
def test_what_changes_the_question_changes_its_digest(other):
    assert digest(request(**other)) != digest(request())


def test_the_address_counts_where_it_is_asked_for():
    other = request(target=Target("openai", "m", base_url="http://b"))
    assert digest(request(), address=True) != digest(other, address=True)


def test_what_rfc_8785_cannot_say_has_a_digest_too():
    assert digest(request(settings={"seed": 2**70})) != digest(request(settings={"seed": 2**70 + 1}))
    assert digest(request(messages=(Message("user", "\ud83d"),)))


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), st.integers(0, 9), max_size=5))
def test_the_order_of_keys_does_not_matter(extra):
    backwards = dict(reversed(list(extra.items())))
    assert digest(request(settings={"extra": extra})) == digest(request(settings={"extra": backwards}))
