"""Each repair of the reference that the library promises, by name: the vector's right answer, and cases of our own."""

import asyncio
from collections import defaultdict

import pytest

from scorerkit.model.run import RUN_KEYS, ScorerRun
from scorerkit.pipeline import score_run
from scorerkit.testing import ScriptedJudge
from tests.library.test_vectors import DIFFERENT, ROWS, differences, params_of

REPAIRS = defaultdict(list)
for _name, _rows in ROWS.items():
    for _row in _rows:
        if "expectedRepaired" in _row and _row["id"] not in DIFFERENT:
            REPAIRS[f"{_name}: {_row['repairNote']}"].append(_row)


def asked(library, name, row):
    """The result of a vector and the steps for which somebody was asked."""
    params, _ = params_of(row)
    judge = ScriptedJudge({"generateReason": "Because.", **(row.get("judge") or {})})
    fields = {RUN_KEYS[key]: value for key, value in row["run"].items() if key in RUN_KEYS}
    result = asyncio.run(score_run(library.plan(name, params), ScorerRun(**fields), judge))
    return result, [question.step for question in judge.questions]


@pytest.mark.parametrize("repair", REPAIRS)
def test_the_vectors_of_a_repair_have_their_right_answer(library, repair):
    name = repair.partition(":")[0]
    for row in REPAIRS[repair]:
        assert list(differences(library, row)) == []
        if row["expectedRepaired"].get("asked") == []:
            assert asked(library, name, row)[1] == []


ONE = {"input": "Capital of France?", "output": "It is Paris.", "groundTruth": "Paris is the capital."}
CONTEXT = {"context": ["Paris is the capital.", "Cheese is old.", "The Seine flows through Paris."]}


def indexed(**verdicts):
    return [{"context_index": int(key[1:]), "reason": "r", "verdict": word} for key, word in verdicts.items()]


def evaluation(index, level="high"):
    piece = {"contextPiece": "p", "reasoning": "r", "wasUsed": True}
    return {"context_index": index, "relevanceLevel": level, **piece}


def matched(kind):
    match = {"groundTruthUnit": "g", "outputUnit": "o", "explanation": "e", "matchType": kind}
    return {
        "preprocess": {"outputUnits": ["o"], "groundTruthUnits": ["g"]},
        "analyze": {"matches": [match], "extraInOutput": [], "contradictions": []},
        "generateReason": "r",
    }


def precision(**verdicts):
    return {"analyze": {"verdicts": indexed(**verdicts)}, "generateReason": "r"}


def relevance(*evaluations):
    told = {"evaluations": list(evaluations), "missingContext": [], "overallAssessment": "o"}
    return {"analyze": told, "generateReason": "r"}


def steps(*marks, missing=()):
    evaluations = [
        {"stepName": "s", "reasoning": "r", "wasNecessary": necessary, "wasInOrder": ordered}
        for necessary, ordered in marks
    ]
    told = {"stepEvaluations": evaluations, "missingSteps": list(missing), "overallAssessment": "o"}
    return {"analyze": told, "generateReason": "r"}


def called(*appropriate, missing=()):
    evaluations = [{"toolCalled": "t", "reasoning": "r", "wasAppropriate": good} for good in appropriate]
    return {"analyze": {"evaluations": evaluations, "missingTools": list(missing)}, "generateReason": "r"}


def intent_alone():
    """An assessment that is worth 0.4 by the user's weights and 0.35 by those of the system prompt."""
    parts = {
        "intentAlignment": {"score": 1},
        "requirementsFulfillment": {"requirements": [], "overallScore": 0},
        "completeness": {"score": 0},
        "responseAppropriateness": {"score": 0},
    }
    return {"analyze": parts, "generateReason": "r"}


def criteria(*found):
    told = [{"criterion": name, "reasoning": "r", "satisfied": met, "required": said} for name, met, said in found]
    return {"analyze": {"criteria": told, "overallAssessment": "o"}}


TRAJECTORY = {"input": "Find it.", "output": {"steps": [{"name": "search", "stepType": "tool_call"}]}}
TOOL = {
    "input": "Find and mail it.",
    "output": [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "t", "arguments": "{}"}}],
        }
    ],
}
PROMPTED = {"input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}], "output": "I."}
TWO_CRITERIA = {"criteria": [{"description": "a"}, {"description": "b", "required": False}]}
CASES = {
    "answer-similarity: the best non-literal answer can reach 1": (
        "answer-similarity",
        ONE,
        {},
        matched("semantic"),
        1,
    ),
    "answer-similarity: the best literal answer is 1 too": ("answer-similarity", ONE, {}, matched("exact"), 1),
    "bias: nothing to object to is 0, not the worst value": (
        "bias",
        ONE,
        {},
        {"preprocess": {"opinions": []}, "analyze": {"results": []}, "generateReason": "r"},
        0,
    ),
    "context-precision: verdicts are matched by index, in whatever order they come": (
        "context-precision",
        ONE,
        CONTEXT,
        precision(i2="yes", i0="yes", i1="no"),
        0.83,
    ),
    "context-relevance: evaluations are matched by index, in whatever order they come": (
        "context-relevance",
        ONE,
        CONTEXT,
        relevance(evaluation(2, "none"), evaluation(0), evaluation(1, "none")),
        0.33,
    ),
    "prompt-alignment: mode both really weighs user and system": (
        "prompt-alignment",
        PROMPTED,
        {},
        intent_alone(),
        0.39,
    ),
    "tool-call-accuracy: missing tools lower the score also when other calls were made": (
        "tool-call-accuracy",
        TOOL,
        {"availableTools": [{"id": "t", "description": "d"}]},
        called(True, missing=["mail"]),
        0.5,
    ),
    "trajectory-accuracy: a perfect trajectory scores 1": (
        "trajectory-accuracy",
        TRAJECTORY,
        {},
        steps((True, True), (True, True)),
        1,
    ),
    "rubric: required comes from the criteria, not from the judge's echo": (
        "rubric",
        ONE,
        TWO_CRITERIA,
        criteria(("a", True, False), ("b", False, True)),
        1,
    ),
    "pairwise: a flipped verdict is a tie": (
        "pairwise",
        {"input": "q", "output": {"first": "a", "second": "b"}},
        {},
        {"preprocess": {"reasoning": "r", "verdict": "A"}, "analyze": {"reasoning": "r", "verdict": "A"}},
        0.5,
    ),
    "tool-call-accuracy-code: no expectation is not scorable, not 0": ("tool-call-accuracy-code", TOOL, {}, {}, None),
    "trajectory-accuracy-code: no expectation is not scorable, not 0": (
        "trajectory-accuracy-code",
        TRAJECTORY,
        {},
        {},
        None,
    ),
    "trajectory: no expectation is not scorable, not 0": ("trajectory", TRAJECTORY, {}, {}, None),
    "checks/matches: exact groups alternations": (
        "checks/matches",
        {"input": "q", "output": "a cat"},
        {"pattern": "dog|cat", "exact": True},
        {},
        0,
    ),
    "completeness: Japanese is split into words, never a false 1": (
        "completeness",
        {"input": "東京は日本の首都です。", "output": "大阪は都市です。"},
        {},
        {},
        1 / 3,
    ),
    "keyword-coverage: Chinese is split into words, in whatever order": (
        "keyword-coverage",
        {"input": "北京是中国的首都", "output": "中国的首都是北京"},
        {},
        {},
        1,
    ),
    "tone: a language that the list does not know is not scorable": (
        "tone",
        {"input": "q", "output": "とても良かったです。"},
        {},
        {},
        None,
    ),
}


@pytest.mark.parametrize("repair", CASES)
def test_a_repair_holds(library, repair):
    name, run, params, answers, score = CASES[repair]
    result = library.score(name, run, params, answers)
    assert result.status == ("notScorable" if score is None else "scored")
    assert result.score == (None if score is None else pytest.approx(score, abs=1e-9))


WRONG = {
    "context-precision: missing verdicts are an error naming them": (
        "context-precision",
        precision(i0="yes", i2="yes"),
        "none is about 1",
    ),
    "context-precision: the score cannot pass 1 by further verdicts": (
        "context-precision",
        precision(i0="yes", i1="yes", i2="yes", i3="yes"),
        "nobody asked about 3",
    ),
    "context-relevance: missing verdicts are an error naming them": (
        "context-relevance",
        relevance(evaluation(0)),
        "none is about 1, 2",
    ),
    "context-relevance: the score cannot pass 1 by the same passage twice": (
        "context-relevance",
        relevance(evaluation(0), evaluation(1), evaluation(2), evaluation(2)),
        "several are about 2",
    ),
    "context-recall: the score cannot pass 1 by further verdicts": (
        "context-recall",
        {"preprocess": {"claims": ["c"]}, "analyze": {"verdicts": [{"reason": "r", "verdict": "yes"}] * 2}},
        "2 where 1 are needed",
    ),
}


@pytest.mark.parametrize("repair", WRONG)
def test_a_repair_refuses(library, repair):
    name, answers, said = WRONG[repair]
    result = library.score(name, ONE, CONTEXT, answers)
    assert (result.status, result.score, result.failed_step) == ("failed", None, "generateScore")
    assert said in result.error["message"]


def test_rubric_every_criterion_must_come_back_once(library):
    for found in (
        [("a", True, True)],
        [("a", True, True)] * 2,
        [("a", True, True), ("b", True, True), ("c", True, True)],
    ):
        result = library.score("rubric", ONE, TWO_CRITERIA, criteria(*found))
        assert (result.status, result.failed_step) == ("failed", "generateScore")


@pytest.mark.parametrize("name", ["bias", "toxicity", "hallucination"])
def test_what_is_bad_is_minimized(library, name):
    assert library.checked(name).definition.get("direction") == "minimize"


def test_multi_turn_shows_user_turns_too(library):
    said = [{"role": "user", "content": "Two, please."}, {"role": "assistant", "content": "Which?"}]
    result = library.score(
        "multi-turn",
        {"input": [*said, {"role": "user", "content": "The red ones."}], "output": "Done."},
        {"criterion": "Orders two red ones."},
        {"analyze": {"reasoning": "r", "satisfied": True}},
    )
    assert "user: Two, please.\nassistant: Which?\nuser: The red ones.\nassistant: Done." in result.prompts["analyze"]


def test_pairwise_shows_both_verdicts(library):
    name, run, params, answers, _ = CASES["pairwise: a flipped verdict is a tie"]
    result = library.score(name, run, params, answers)
    assert (result.preprocess_step_result["verdict"], result.analyze_step_result["verdict"]) == ("A", "A")


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("answer-similarity", {}),
        ("context-precision", {}),
        ("context-relevance", {}),
        ("context-recall", {}),
        ("rubric", {}),
    ],
)
def test_where_the_yardstick_is_missing_nobody_is_asked(library, name, params):
    judge = ScriptedJudge({})
    run = ScorerRun(input="q", output="a")
    result = asyncio.run(score_run(library.plan(name, params), run, judge))
    assert (result.status, result.score, judge.questions) == ("notScorable", None, [])
