import pytest

HEAD = """id: x
judge: {model: openai/gpt-5-mini-2025-08-07}
range: {min: 0, max: 1}
params:
  a: {type: string}
  n: {type: integer, default: 1}
  on: {type: boolean, default: true}
steps:
  analyze:
    prompt: "Is {{ run.output | fenced }} like {{ params.a }} {{ params.n }} {{ params.on }}?"
    outputSchema: {type: object, properties: {ok: {type: boolean}}, required: [ok]}
  generateScore:
    prompt: "Rate {{ results.analyzeStepResult.ok }}"
tests:
"""
ANSWERS = [
    ("{analyze: {ok: true}, generateScore: {score: 1}}", "{score: 1}", 0),
    (r'{analyze: "```json\n{\"ok\": true}\n```"}', "{score: 1}", 0),
    ("{analyze: {samples: [{ok: true}, {ok: many}, {}]}}", "{score: 1}", 2),
    ("{analyze: {ok: many}}", "{score: 1}", 1),
    ("{analyze: no JSON}", "{score: 1}", 1),
    ("{generateScore: {score: 2}}", "{score: 1}", 1),
    ("{generateScore: 1}", "{score: 1}", 1),
    ("{analyze: {ok: many}}", "{error: unusable-answer}", 0),
    ("{analyze: {ok: many}}", "{failedStep: analyze}", 0),
    ("{analyze: {ok: many}}", "{status: failed}", 0),
    ("{analyze: {ok: many}}", "{status: notScorable}", 0),
    ("{analyze: {ok: many}}", "{status: scored}", 1),
]
PARAMS = [
    ("{}", "{score: 1}", 1),
    ("{}", "{error: bad-param}", 0),
    ("{}", "{status: failed}", 0),
    ("{}", "{error: step-failed}", 1),
    ("{a: b}", "{score: 1}", 0),
    ("{a: b, n: '2', on: 'false'}", "{score: 1}", 0),
    ("{a: b, n: many}", "{score: 1}", 1),
    ("{a: b, n: [2]}", "{score: 1}", 1),
    ("{other: b}", "{score: 1}", 2),
]


def warned(problems, code):
    return [problem for problem in problems if problem.code == code and problem.severity == "warning"]


@pytest.mark.parametrize(("answers", "expect", "count"), ANSWERS)
def test_answers_are_read_as_a_judges_would_be(problems, answers, expect, count):
    text = f"{HEAD}  - {{name: t, run: {{output: a}}, params: {{a: b}}, answers: {answers}, expect: {expect}}}\n"
    assert len(warned(problems(text), "unusable-answer")) == count


@pytest.mark.parametrize(("params", "expect", "count"), PARAMS)
def test_params_are_held_against_their_schemas(problems, params, expect, count):
    text = f"{HEAD}  - {{name: t, run: {{output: a}}, params: {params}, expect: {expect}}}\n"
    assert len(warned(problems(text), "bad-param")) == count


def test_a_misspelt_param_is_one_problem(problems):
    text = HEAD.replace("  a: {type", "  audience: {type").replace("params.a ", "params.audience ")
    text += "  - {name: t, run: {output: a}, params: {audiense: b}, expect: {score: 1}}\n"
    assert [problem.fix for problem in warned(problems(text), "bad-param")] == ["did you mean 'audience'?"]


def test_levels_take_their_labels_only(problems):
    text = HEAD.replace("range: {min: 0, max: 1}\n", "").replace("params.a ", "1 ").replace("  a: {type: string}\n", "")
    text = text.replace("tests:", "    levels: {good: {score: 1, means: x}, bad: {score: 0, means: y}}\ntests:")
    for label, count in (("good", 0), ("fair", 1)):
        test = f"  - {{name: t, run: {{output: a}}, answers: {{generateScore: {{label: {label}}}}}, expect: {{score: 1}}}}\n"
        assert len(warned(problems(text + test), "unusable-answer")) == count
