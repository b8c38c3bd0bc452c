from scorerkit.judge.conversation import asked_again, opening, with_schema
from scorerkit.judge.format import score_format
from scorerkit.model.judge import JudgeConfig, Message, Question, Target

CONFIG = JudgeConfig(Target("openai", "m"))
FORM = score_format(0, 1)
S, U = Message("system", "Be fair."), Message("user", "Grade it.")


def test_instructions_are_the_system_message():
    assert opening(Question("r", "s", "Grade it.", CONFIG, "Be fair.")) == (S, U)
    assert opening(Question("r", "s", "Grade it.", CONFIG)) == (U,)


def test_the_schema_goes_to_the_end_of_the_message_that_was_asked_for():
    system = with_schema((S, U), FORM, "system")
    assert system[0].content.startswith("Be fair.\n\n")
    assert '"score"' in system[0].content
    assert system[1] == U
    inline = with_schema((S, U), FORM, "inline")
    assert inline[0] == S
    assert inline[1].content.startswith("Grade it.\n\n")


def test_a_system_message_is_made_where_there_is_none():
    assert [m.role for m in with_schema((U,), FORM, "system")] == ["system", "user"]


def test_characters_of_the_schema_are_not_escaped():
    from scorerkit.judge.format import levels_format

    assert "良い" in with_schema((U,), levels_format({"良い": (1, None)}), "inline")[0].content


def test_the_conversation_goes_on_with_the_answer_and_what_was_wrong():
    again = asked_again((S, U), "nonsense", "the answer holds no JSON", FORM)
    assert again[:3] == (S, U, Message("assistant", "nonsense"))
    assert "the answer holds no JSON" in again[3].content
    assert "JSON" not in asked_again((U,), "x", "the answer was empty", None)[-1].content


def test_an_empty_answer_is_not_sent_back():
    assert [m.role for m in asked_again((S, U), " ", "the answer was empty", FORM)] == ["system", "user", "user"]
