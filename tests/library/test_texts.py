import pytest

from scorerkit import functions as f
from scorerkit.testing import agent_run, message, tool_call


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (agent_run("Where?", [])["input"], ["Where?"]),
        ([message("user", "a"), message("assistant", None, tool_call("t"))], ["a", ""]),
        ([], []),
        (None, []),
        ("text", []),
        ({"prompt": "x"}, []),
    ],
)
def test_the_texts_of_all_messages_are_given(value, texts):
    assert f.message_texts(value) == texts


def test_steps_are_numbered_lines_with_what_is_inside_below():
    steps = [
        {"name": "ask", "stepType": "agent_run", "children": [{"name": "search", "toolArgs": {"q": "東京"}}]},
        {"name": "say", "success": False},
    ]
    assert f.steps_text({"steps": steps}) == (
        '1. ask (agent_run)\n   1. search {"toolArgs":{"q":"東京"}}\n2. say {"success":false}'
    )


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ((), " the  quick\nfox"),
        ((False,), " The  QUICK\nfox"),
        ((True, True), "the quick fox"),
        ((False, True), "The QUICK fox"),
    ],
)
def test_text_is_folded_for_a_comparison(options, text):
    assert f.folded(" The  QUICK\nfox", *options) == text


def test_only_text_is_folded():
    with pytest.raises(ValueError, match="folded needs text"):
        f.folded(None)
