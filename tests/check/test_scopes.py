import pytest

ALL = """id: x
steps:
  preprocess: {{expression: "{preprocess}"}}
  analyze: {{expression: "{analyze}"}}
  generateScore: {{expression: "{score}"}}
  generateReason: {{expression: "{reason}"}}
{more}"""
BASE = {
    "preprocess": "run.output",
    "analyze": "results.preprocessStepResult",
    "score": "results.analyzeStepResult",
    "reason": "score ~ ''",
}


@pytest.fixture
def names(problems):
    def found(more="", **code):
        text = ALL.format(**{**BASE, **code}, more=more)
        return [(each.place.line, each.message, each.why) for each in problems(text) if each.severity == "error"]

    return found


WRONG = [
    ({"preprocess": "results.preprocessStepResult"}, 3, "preprocess has not run yet at this point"),
    ({"preprocess": "results.analyzeStepResult"}, 3, "analyze has not run yet at this point"),
    ({"analyze": "score"}, 4, "only generateReason can use it"),
    ({"score": "results.generateScoreStepResult"}, 5, "generateScore has not run yet at this point"),
    ({"score": "judgeOutput.a"}, 5, "only 'calculateScore' sees"),
    ({"score": "analyzeStepResult"}, 5, "only 'calculateScore' has this short name"),
    ({"more": "notScorable: [{when: score > 1, reason: r}]\n"}, 7, "only generateReason can use it"),
    ({"more": "prepareRun: {expression: results}\n"}, 7, None),
    ({"more": "data: {file: a.csv, where: params.a}\n"}, 7, None),
    ({"more": "data: {file: a.csv, map: {input: {expression: run.input}}}\n"}, 7, None),
]


@pytest.mark.parametrize(("code", "line", "why"), WRONG)
def test_a_name_of_another_place_is_explained(names, code, line, why):
    [(found, _, said)] = names(**code)
    assert found == line
    assert (said is None) if why is None else why in said


RIGHT = [
    {"reason": "results.generateScoreStepResult ~ score"},
    {"more": "notScorable: [{when: results.preprocessStepResult and results.analyzeStepResult, reason: r}]\n"},
    {"more": "prepareRun: {expression: run or params}\n"},
    {"more": "data: {file: a.csv, where: row.a and run.input, map: {input: {expression: row.b}}}\n"},
]


@pytest.mark.parametrize("code", RIGHT)
def test_each_place_has_its_names(names, code):
    assert names(**code) == []


TYPES = [
    ("agent", "run.input.inputMessages[0].content", True),
    ("agent", "run.input.messages", False),
    ("agent", "run.output[0].contents", True),
    ("{input: {type: object, properties: {q: {}}}}", "run.input.q", True),
    ("{input: {type: object, properties: {q: {}}}}", "run.input.p", False),
    ("{input: {type: object, properties: {q: {}}}}", "run.output.anything", True),
]


@pytest.mark.parametrize(("kind", "code", "right"), TYPES)
def test_a_run_is_known_by_the_type_of_the_scorer(names, kind, code, right):
    assert (names(preprocess=code, more=f"type: {kind}\n") == []) is right


def test_calculate_score_knows_the_answer_and_the_short_name(problems):
    text = (
        "id: x\nsteps:\n  analyze: {expression: run.output}\n  generateScore:\n    prompt: a\n"
        "    outputSchema: {type: object, properties: {points: {type: number}}}\n"
        "    calculateScore: {expression: judgeOutput.point + (analyzeStepResult | length)}\n"
    )
    errors = [each for each in problems(text) if each.severity == "error"]
    assert [(each.place.line, each.fix) for each in errors] == [(7, "did you mean 'points'?")]
