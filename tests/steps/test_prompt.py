import pytest

from scorerkit import create_scorer, load_scorer
from scorerkit.model.judge import JudgeError
from scorerkit.testing import ScriptedJudge

pytestmark = pytest.mark.usefixtures("project")

LEVELS = """
    id: s
    judge: {model: openai/m, instructions: "You grade {{ run.input }}; weight {{ params.w }}."}
    params: {w: {type: number, default: 2}}
    steps:
      generateScore:
        prompt: "Rate {{ run.output }}"
        levels: {good: 1, fair: {score: 0.5, means: not bad}, poor: 0}
"""


@pytest.fixture
def ask(write):
    """(text of a scorer, answers, record) → (result, questions)."""

    def asked(text, answers, **record):
        judge = ScriptedJudge(answers)
        scorer = load_scorer(write("scorer.yaml", text), judge=judge)
        return scorer.run_sync(**{"input": "q", "output": "a", **record}), judge.questions

    return asked


def test_the_judge_gets_prompt_and_instructions_as_rendered(ask):
    result, [question] = ask(LEVELS, {"generateScore": {"reasoning": "r", "label": "fair"}}, run_id="r-1")
    assert (question.run_id, question.step) == ("r-1", "generateScore")
    assert question.instructions == "You grade q; weight 2."
    assert question.prompt.startswith("Rate a\n\n")
    assert "not bad" in question.prompt
    assert result.prompts == {"generateScore": question.prompt}


@pytest.mark.parametrize(("label", "score"), [("good", 1), ("fair", 0.5), ("poor", 0)])
def test_a_level_is_its_number_and_the_answer_is_kept(ask, label, score):
    answer = {"reasoning": "r", "label": label}
    result, _ = ask(LEVELS, {"generateScore": answer})
    assert (result.score, result.judge_output) == (score, answer)
    assert result.to_dict()["judgeOutput"] == answer


def test_a_label_that_is_none_of_the_levels_is_unusable(ask):
    result, _ = ask(LEVELS, {"generateScore": {"reasoning": "r", "label": "superb"}})
    assert (result.status, result.error["code"], result.has_judge_output) == ("failed", "unusable-answer", False)


def test_a_plain_score_question_has_no_judge_output(ask):
    text = "id: s\njudge: {model: openai/m}\nrange: {min: 0, max: 5}\nsteps: {generateScore: {prompt: Rate}}\n"
    result, [question] = ask(text, {"generateScore": {"score": 4}})
    assert (result.score, "judgeOutput" in result.to_dict()) == (4, False)
    assert "0" in str(question.format.schema)
    assert "5" in str(question.format.schema)


CALCULATED = """
    id: s
    judge: {model: openai/m}
    steps:
      analyze: {expression: "[1, 2]"}
      generateScore:
        prompt: Count
        outputSchema: {type: object, properties: {n: {type: integer}}, required: [n]}
        calculateScore: {expression: "judgeOutput.n / (analyzeStepResult | length)"}
      generateReason: {expression: "'judgeOutput' if judgeOutput is defined else 'gone'"}
"""


def test_a_calculated_score_sees_the_judge_s_answer(ask):
    text = CALCULATED[: CALCULATED.index("      generateReason")]
    result, _ = ask(text, {"generateScore": {"n": 1}})
    assert (result.score, result.judge_output) == (0.5, {"n": 1})


def test_a_calculation_that_fails_keeps_the_answer_and_names_its_line(ask):
    text = CALCULATED[: CALCULATED.index("      generateReason")].replace("judgeOutput.n /", "judgeOutput.n / 0 /")
    result, _ = ask(text, {"generateScore": {"n": 1}})
    assert (result.status, result.failed_step, result.error["code"]) == ("failed", "generateScore", "step-failed")
    assert result.judge_output == {"n": 1}
    assert result.error["at"] == {"path": result.error["at"]["path"], "line": 8}


def test_the_answer_is_not_changed_by_a_function_that_calculates():
    def calculate(judge_output):
        judge_output["n"] = 0
        return 1

    judge = ScriptedJudge({"generateScore": {"n": 5}})
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    scorer = create_scorer(id="s", judge=judge)
    result = scorer.generate_score(prompt="x", output_schema=schema, calculate_score=calculate).run_sync(output=1)
    assert (result.score, result.judge_output) == (1, {"n": 5})


def test_a_prompt_from_a_function_is_never_rendered():
    judge = ScriptedJudge({"generateScore": {"score": 1}})
    scorer = create_scorer(id="s", judge=judge).generate_score(prompt=lambda run: f"{{{{ {run.output} }}}}")
    scorer.run_sync(output="x")
    assert judge.questions[0].prompt.startswith("{{ x }}")


@pytest.mark.parametrize("given", [None, 3, ["x"]])
def test_a_prompt_that_is_no_text_fails_before_anybody_is_asked(given):
    judge = ScriptedJudge({"generateScore": {"score": 1}})
    result = create_scorer(id="s", judge=judge).generate_score(prompt=lambda: given).run_sync(output="x")
    assert (result.error["code"], judge.questions, result.prompts) == ("step-failed", [], {})


def test_a_template_that_fails_has_its_line_and_asks_nobody(ask):
    text = "id: s\njudge: {model: openai/m}\nsteps:\n  generateScore:\n    prompt: |\n      one\n      {{ run.output.x }}\n"
    result, questions = ask(text, {}, output={})
    assert (result.error["code"], questions) == ("unknown-name", [])
    assert result.error["at"]["line"] == 7


def test_instructions_that_fail_fail_the_step(ask):
    result, questions = ask(LEVELS.replace("run.input }}", "run.input.x }}"), {})
    assert (result.error["code"], result.failed_step, questions) == ("unknown-name", "generateScore", [])


def test_a_reason_is_plain_text(ask):
    text = """
        id: s
        judge: {model: openai/m}
        steps: {generateScore: {expression: "0.5"}, generateReason: {prompt: "Why {{ score }}?"}}
    """
    result, [question] = ask(text, {"generateReason": '{"not": "read as JSON"}'})
    assert (result.reason, question.format) == ('{"not": "read as JSON"}', None)


def test_a_failed_answer_leaves_its_record(ask):
    execution = {"status": "failed", "prompt": "as sent", "attemptCount": 2, "rawOutput": "?"}
    error = JudgeError("unusable-answer", "no", execution=execution)
    result, _ = ask(LEVELS, {"generateScore": error})
    assert result.judge == {"generateScore": [execution]}
    assert result.prompts == {"generateScore": "as sent"}
    assert result.error["at"]["line"] == 6


def test_steps_share_no_conversation(ask):
    text = """
        id: s
        judge: {model: openai/m, instructions: top}
        steps:
          analyze:
            prompt: one
            outputSchema: {type: object}
            judge: {instructions: of the step}
          generateScore: {prompt: two}
    """
    _, questions = ask(text, {"analyze": {}, "generateScore": {"score": 1}})
    assert [(each.step, each.instructions) for each in questions] == [
        ("analyze", "of the step"),
        ("generateScore", "top"),
    ]
