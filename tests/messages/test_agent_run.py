from copy import deepcopy

import pytest

from scorerkit.errors import RecordError
from scorerkit.messages import to_agent_run
from scorerkit.model.run import ScorerRun

KEYS = ["inputMessages", "rememberedMessages", "systemMessages", "taggedSystemMessages"]


def chat(role, content, **more):
    return {"role": role, "content": content, **more}


def said(messages):
    return [(message["role"], message["content"]["parts"][0].get("text")) for message in messages]


def canonical(role, text, identity="m"):
    return {"id": identity, "role": role, "content": {"format": 2, "parts": [{"type": "text", "text": text}]}}


def test_plain_text_becomes_one_message_on_each_side():
    run = to_agent_run(ScorerRun(input="Capital?", output="Paris", run_id="r", ground_truth="Paris"))
    assert run.input == {
        "inputMessages": [
            {"id": "msg-0", "role": "user", "content": {"format": 2, "parts": [{"type": "text", "text": "Capital?"}]}}
        ],
        "rememberedMessages": [],
        "systemMessages": [],
        "taggedSystemMessages": {},
    }
    assert said(run.output) == [("assistant", "Paris")]
    assert (run.run_id, run.ground_truth) == ("r", "Paris")


def test_an_input_list_splits_at_the_trailing_user_messages():
    run = to_agent_run(
        ScorerRun(
            input=[
                chat("system", "Be short."),
                chat("user", "Hello"),
                chat("assistant", "Hi"),
                chat("user", "One more"),
                chat("developer", [{"type": "text", "text": "Be kind."}]),
                chat("user", "Capital?"),
            ],
            output="Paris",
        )
    )
    assert said(run.input["inputMessages"]) == [("user", "One more"), ("user", "Capital?")]
    assert said(run.input["rememberedMessages"]) == [("user", "Hello"), ("assistant", "Hi")]
    assert run.input["systemMessages"] == [chat("system", "Be short."), chat("system", "Be kind.")]
    assert [message["id"] for message in run.input["inputMessages"]] == ["msg-3", "msg-5"]


def test_an_input_that_ends_with_the_assistant_is_remembered():
    run = to_agent_run(ScorerRun(input=[chat("user", "Hello"), chat("assistant", "Hi")], output=""))
    assert run.input["inputMessages"] == []
    assert len(run.input["rememberedMessages"]) == 2


def test_an_absent_input_has_no_messages():
    assert to_agent_run(ScorerRun(output="x")).input == dict(zip(KEYS, [[], [], [], {}], strict=True))


QUESTION = [chat("system", "Be short."), chat("user", "Hello"), chat("assistant", "Hi"), chat("user", "Capital?")]


@pytest.mark.parametrize(
    ("given", "output", "left"),
    [
        (QUESTION, [*QUESTION, chat("assistant", "Paris")], ["Paris"]),
        (QUESTION, [*QUESTION[1:], chat("assistant", "Paris")], ["Paris"]),
        (QUESTION, [QUESTION[3], chat("assistant", "Paris")], ["Paris"]),
        ("Capital?", [chat("user", "Capital?"), chat("assistant", "Paris")], ["Paris"]),
        (
            {"inputMessages": [canonical("user", "Capital?", "other")]},
            [canonical("user", "Capital?"), canonical("assistant", "Paris")],
            ["Paris"],
        ),
        (QUESTION, QUESTION, []),
        ("A task for a simulated user", [chat("user", "Hi"), chat("assistant", "Hello")], ["Hi", "Hello"]),
        ("Capital?", [chat("assistant", "Capital?"), chat("assistant", "Paris")], ["Capital?", "Paris"]),
        (QUESTION, [QUESTION[1], chat("assistant", "Paris")], ["Hello", "Paris"]),
    ],
)
def test_an_output_is_cut_where_it_begins_with_the_input(given, output, left):
    assert [text for _, text in said(to_agent_run(ScorerRun(input=given, output=output)).output)] == left


def test_canonical_messages_pass_unchanged_and_shared():
    legacy = {"role": "assistant", "content": {"content": "t", "toolInvocations": [{"toolName": "a"}]}}
    given = {"inputMessages": [canonical("user", "q")], "rememberedMessages": None, "extra": 1}
    run = ScorerRun(input=given, output=[canonical("assistant", "a"), legacy])
    before = deepcopy(run)
    made = to_agent_run(run)
    assert made.output is run.output
    assert made.input["inputMessages"] is given["inputMessages"]
    assert list(made.input) == [
        "inputMessages",
        "rememberedMessages",
        "extra",
        "systemMessages",
        "taggedSystemMessages",
    ]
    assert (made.input["rememberedMessages"], made.input["taggedSystemMessages"]) == ([], {})
    assert run == before


def test_lists_inside_an_agent_input_are_read_too():
    made = to_agent_run(
        ScorerRun(
            input={
                "inputMessages": "Capital?",
                "rememberedMessages": [chat("user", "Hello"), canonical("assistant", "Hi")],
                "systemMessages": [{"content": "Be short."}],
                "taggedSystemMessages": {"tone": [canonical("system", "Be kind.")], "none": None},
            },
            output="Paris",
        )
    )
    assert said(made.input["inputMessages"]) == [("user", "Capital?")]
    assert said(made.input["rememberedMessages"]) == [("user", "Hello"), ("assistant", "Hi")]
    assert made.input["systemMessages"] == [{"content": "Be short."}]
    assert made.input["taggedSystemMessages"] == {"tone": [chat("system", "Be kind.")], "none": []}


def test_a_single_message_is_a_list_of_one():
    made = to_agent_run(ScorerRun(input=chat("user", "Capital?"), output=chat("assistant", "Paris")))
    assert said(made.input["inputMessages"]) == [("user", "Capital?")]
    assert said(made.output) == [("assistant", "Paris")]


@pytest.mark.parametrize(
    ("given", "output", "at", "why"),
    [
        ("q", None, "output", "must be text or a list of messages, not null"),
        ("q", 5, "output", "not a number"),
        ("q", {"text": "Summary."}, "output", "no message shape that is known"),
        ({"prompt": "Sum up"}, "a", "input", "no message shape that is known"),
        ({"prompt": {}}, "a", "input", "its keys: 'prompt'"),
        ("q", [chat("assistant", "a"), "text"], "output[1]", "must be a message, not text"),
        ("q", [{}], "output[0]", "its keys: none"),
        ("q", [chat("robot", "a")], "output[0].role", "cannot be 'robot'"),
        ("q", [{"role": "assistant", "content": {"answer": "a"}}], "output[0].content", "not a mapping"),
        ({"inputMessages": [3]}, "a", "input.inputMessages[0]", "not a number"),
        ({"rememberedMessages": True}, "a", "input.rememberedMessages", "not true"),
        ({"inputMessages": [], "taggedSystemMessages": ["x"]}, "a", "input.taggedSystemMessages", "not a list"),
        ({"taggedSystemMessages": {"t": "", "u": [4]}}, "a", "input.taggedSystemMessages.u[0]", "not a number"),
    ],
)
def test_what_is_not_understood_fails_with_its_path(given, output, at, why):
    with pytest.raises(RecordError, match=why) as caught:
        to_agent_run(ScorerRun(input=given, output=output))
    assert (caught.value.code, caught.value.at) == ("type-mismatch", at)
    assert caught.value.message.startswith(at)
