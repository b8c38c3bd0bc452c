import pytest

from scorerkit import functions as f


def message(role, *texts, **content):
    return {
        "role": role,
        "content": {"format": 2, "parts": [{"type": "text", "text": text} for text in texts], **content},
    }


CHAT = [
    {"role": "system", "content": "Be short."},
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Hi"},
    {"role": "user", "content": "One more"},
    {"role": "user", "content": "Capital?"},
]


@pytest.mark.parametrize(
    ("value", "question"),
    [
        (CHAT, "One more"),
        (CHAT[:3], "Hello"),
        ([message("user", "a", "b")], "a\nb"),
        ({"inputMessages": [message("assistant", "x"), message("user", "q")]}, "q"),
        (
            [
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}],
                }
            ],
            "a\nb",
        ),
        (None, ""),
        (5, ""),
        ([3, "x"], ""),
        ({"question": "q"}, ""),
    ],
)
def test_the_question_is_found(value, question):
    assert f.user_message(value) == question


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ([message("assistant", "Let me see."), message("assistant"), message("tool", "x")], "Let me see."),
        ([message("assistant", "one"), message("assistant", "two", "three")], "two\nthree"),
        ([message("assistant", "said"), message("assistant", "  \n")], "said"),
        ([message("assistant", "last of two", content="flat")], "flat"),
        ([message("assistant", "one", "two", content="two")], "one\ntwo"),
        (message("assistant", "single"), "single"),
        (None, ""),
        (["text"], ""),
        (7, ""),
    ],
)
def test_the_answer_is_the_last_text_of_the_assistant(value, answer):
    assert f.assistant_message(value) == answer


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ([message("assistant", "a"), message("user", "u"), message("assistant")], ["a", ""]),
        ("plain", ["plain"]),
        ({"text": "obj"}, ["obj"]),
        ({"role": "user", "content": "x"}, []),
        (None, []),
    ],
)
def test_all_answers_are_listed(value, texts):
    assert f.assistant_messages(value) == texts


def test_system_prompts_are_joined_by_an_empty_line():
    value = {
        "systemMessages": [{"content": "A"}, {"content": ""}],
        "inputMessages": CHAT,
        "taggedSystemMessages": {"t": [{"content": "C"}], "u": 3},
    }
    assert f.system_prompt(value) == "A\n\nBe short.\n\nC"
    assert f.system_prompt(CHAT) == "Be short."
    assert f.system_prompt("text") == ""


def test_a_conversation_is_told_in_lines():
    assert f.conversation(CHAT, 2) == "user: One more\nuser: Capital?"
    assert f.conversation(CHAT * 5, None).count("\n") == 24
    assert f.conversation(CHAT, 0) == f.conversation("text") == f.conversation({}) == ""


@pytest.mark.parametrize(
    ("value", "thoughts"),
    [
        ([message("assistant", "x", reasoning="flat")], "flat"),
        (message("assistant", "x", reasoning="flat"), "flat"),
        (
            {
                "role": "assistant",
                "content": {
                    "parts": [
                        {
                            "type": "reasoning",
                            "reasoning": "r",
                            "details": [{"type": "text", "text": "d1"}, {"type": "text", "text": "d2"}],
                        }
                    ]
                },
            },
            "d1\nd2",
        ),
        ("text", ""),
    ],
)
def test_reasoning_is_that_of_the_first_answer(value, thoughts):
    assert f.reasoning(value) == thoughts
