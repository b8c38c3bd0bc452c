import pytest

from scorerkit import create_scorer
from scorerkit.model.judge import JudgeError
from scorerkit.testing import ScriptedJudge

pytestmark = pytest.mark.usefixtures("project")
SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}


def score(answers, **record):
    judge = ScriptedJudge(answers)
    scorer = create_scorer(id="s", judge=judge).analyze(prompt="Q {{ run.output }}", output_schema=SCHEMA)
    scorer = scorer.generate_score(lambda results: results.analyze_step_result["ok"])
    return scorer.run_sync(**{"output": "a", **record}), judge


@pytest.mark.parametrize(
    "answer", [{"ok": True}, '{"ok": true}', '```json\n{"ok": true}\n```', lambda question: {"ok": True}]
)
def test_an_answer_is_data_or_text_or_a_function_of_the_question(answer):
    result, judge = score({"analyze": answer})
    assert result.score == 1
    assert judge.questions[0].prompt.startswith("Q a")


def test_a_list_is_used_up_in_turn_and_its_last_entry_repeats():
    judge = ScriptedJudge({"analyze": [{"ok": True}, {"ok": False}]})
    scorer = create_scorer(id="s", judge=judge).analyze(prompt="Q", output_schema=SCHEMA)
    scorer = scorer.generate_score(lambda results: results.analyze_step_result["ok"])
    assert [scorer.run_sync(output=1).score for _ in range(3)] == [1, 0, 0]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"ok": "perhaps"}, "unusable-answer"),
        ("no JSON", "unusable-answer"),
        (JudgeError("refused", "no"), "refused"),
    ],
)
def test_what_a_real_judge_could_not_say_is_refused_as_it_would_be(answer, code):
    assert score({"analyze": answer})[0].error["code"] == code


def test_a_step_without_an_answer_is_named_with_its_prompt():
    result, _ = score({})
    assert result.error["code"] == "not-recorded"
    assert "analyze" in result.error["message"]
    assert "Q a" in result.error["why"]


def test_an_answer_leaves_an_execution_record():
    result, _ = score({"analyze": {"ok": True}})
    assert result.judge["analyze"][0]["attemptCount"] == 1
