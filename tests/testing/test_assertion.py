import asyncio
import inspect
import traceback

import pytest

from scorerkit import InvalidScorer, ScorerkitError, create_scorer, load_scorer
from scorerkit.testing import ScriptedJudge, agent_run, assert_score, assert_score_async, message, tool_call

pytestmark = pytest.mark.usefixtures("project")
SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
FILE = """
    id: polite
    description: x
    range: {min: 0, max: 1}
    threshold: 0.5
    params: {half: {type: number, default: 0.5}}
    judge: {model: openai/gpt-5-mini-2025-08-07}
    notScorable: [{when: not run.output, reason: no answer}]
    steps:
      analyze:
        description: x
        prompt: "Look at {{ run.output | fenced }}"
        outputSchema: {type: object, properties: {ok: {type: boolean}}, required: [ok]}
      generateScore: {expression: 1 if results.analyzeStepResult.ok else params.half}
"""
OK, NOT_OK = {"analyze": {"ok": True}}, {"analyze": {"ok": False}}


@pytest.fixture
def polite(write):
    return write("scorers/polite.yaml", FILE)


def length():
    return create_scorer(id="length").generate_score(expression="run.output | length")


AS_EXPECTED = [
    (0.5, {}),
    (0.25, {"params": {"half": 0.25}}),
    (0.51, {"tolerance": 0.1}),
    ((0.4, 0.6), {}),
    ((0.4, None), {}),
    ((None, 0.5), {}),
    ("scored", {}),
    ("notScorable", {"output": ""}),
    ("failed", {"answers": {"analyze": "no JSON"}}),
    ({"status": "failed", "failedStep": "analyze", "error": "unusable-answer"}, {"answers": {"analyze": "no JSON"}}),
    ({"score": 0.5, "passed": True, "analyzeStepResult": {"ok": False}}, {}),
    ({"promptContains": {"analyze": "Thanks"}}, {}),
    (1, {"answers": {"analyze": '```json\n{"ok": true}\n```'}}),
    (True, {"answers": OK}),
    (1, {"answers": None, "judge": ScriptedJudge(OK)}),
]


@pytest.mark.parametrize(("expected", "given"), AS_EXPECTED)
def test_what_comes_out_as_expected_passes_and_is_given_back(polite, expected, given):
    result = assert_score(polite, expected, **{"output": "Thanks.", "answers": NOT_OK, **given})
    assert result.scorer["id"] == "polite"


OTHERWISE = [
    (1, {}, "polite:\n  score: expected 1 (± 1e-09), got 0.5"),
    (0.7, {"tolerance": 0.1}, "score: expected 0.7 (± 0.1), got 0.5"),
    ((0.6, None), {}, "score: expected between 0.6 and inf, got 0.5"),
    ("notScorable", {}, "status: expected 'notScorable', got 'scored'"),
    (1, {"output": ""}, "score: expected 1, got none: the record is notScorable (no answer)"),
    (1, {"answers": {}}, "polite:\n  no answer is given for analyze\n  the record failed: not-recorded"),
    (1, {"answers": None}, "no answer is given for analyze"),
    ("failed", {"answers": {}}, "no answer is given for analyze"),
    (1, {"answers": {"analyze": {"ok": 1}}}, "the record failed: unusable-answer"),
    (
        {"score": 1, "passed": False},
        {},
        "polite:\n  score: expected 1 (± 1e-09), got 0.5\n  passed: expected false, got true",
    ),
    ({"promptContains": {"analyze": "Bye"}}, {}, "promptContains.analyze: 'Bye' is not in the prompt"),
]


@pytest.mark.parametrize(("expected", "given", "said"), OTHERWISE)
def test_what_does_not_is_said_in_the_words_of_the_command(polite, expected, given, said):
    with pytest.raises(AssertionError) as failed:
        assert_score(polite, expected, **{"output": "Thanks.", "answers": NOT_OK, **given})
    assert str(failed.value).startswith("polite:\n  ")
    assert said in str(failed.value)


def test_the_command_says_the_same(polite, run):
    test = "tests:\n  - {name: t, run: {output: Thanks.}, answers: {analyze: {ok: false}}, expect: {score: 1}}\n"
    polite.write_text(polite.read_text() + test)
    with pytest.raises(AssertionError) as failed:
        assert_score(polite, 1, output="Thanks.", answers=NOT_OK)
    assert str(failed.value).split("\n")[1] in run("test", polite).err


@pytest.mark.parametrize(
    ("scorer", "record", "expected"),
    [
        ("polite", {"output": "a", "answers": OK}, 1),
        ("checks/includes", {"output": "abc", "params": {"text": "b"}}, 1),
        ("checks/called-tool", {**agent_run("q", [message("assistant", "a", tool_call("t"))]), "params": {"name": "t"}}, 1),
        (length(), {"output": "abc"}, 3),
    ],
)  # fmt: skip
def test_a_scorer_is_a_path_an_id_a_builder_or_finished(polite, scorer, record, expected):
    assert_score(scorer, expected, **record)
    if not isinstance(scorer, str):
        assert_score(scorer.build(), expected, **record)


def test_answers_go_before_the_judge_that_a_scorer_was_made_with(polite):
    made = load_scorer(polite, judge=ScriptedJudge(NOT_OK))
    assert_score(made, 0.5, output="a")
    assert_score(made, 1, output="a", answers=OK)
    assert_score(made, 1, output="a", judge=ScriptedJudge(OK))
    builder = create_scorer(id="b", judge=ScriptedJudge(NOT_OK)).analyze(prompt="Q", output_schema=SCHEMA)
    builder = builder.generate_score(lambda results: results.analyze_step_result["ok"])
    assert_score(builder, 0, output="a")
    assert_score(builder, 1, output="a", answers=OK)


def test_no_model_is_asked(polite, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setattr("scorerkit.judge.open_judge", lambda *_, **__: pytest.fail("a judge was opened"))
    with pytest.raises(AssertionError, match="no answer is given for analyze"):
        assert_score(load_scorer(polite), 1, output="a")


WRONG_USE = [
    ({"expected": {"scor": 1}}, "'scor' is nothing that can be expected; did you mean 'score'?"),
    ({"expected": {"score": "1"}}, "expected.score: "),
    ({"expected": "passed"}, "there is no status 'passed'; use one of 'scored', 'notScorable', 'failed'"),
    ({"expected": "scord"}, "there is no status 'scord'; did you mean 'scored'?"),
    ({"groundTruth": "b"}, "a record has no 'groundTruth'; did you mean 'ground_truth'?"),
    ({"inptu": "b"}, "a record has no 'inptu'; did you mean 'input'?"),
    ({"answers": {"analyse": {}}}, "answers: there is no step 'analyse'; did you mean 'analyze'?"),
    ({"expected": None}, "a score, a status, bounds of a score or a mapping is expected, not null"),
    ({"expected": "scored", "tolerance": 0.1}, "'tolerance' goes with a score"),
    ({"answers": {}, "judge": ScriptedJudge({})}, "'answers' are given, and a 'judge' too"),
    ({"scorer": length(), "params": {"a": 1}}, "'params' go with a path or an id"),
    ({"scorer": 1}, "a scorer, its builder, a path or an id is needed, not a number"),
]


@pytest.mark.parametrize(("given", "said"), WRONG_USE)
def test_wrong_use_is_no_failed_assertion(polite, given, said):
    given = {"scorer": polite, "expected": 1, "output": "a", **given}
    with pytest.raises(TypeError) as refused:
        assert_score(given.pop("scorer"), given.pop("expected"), **given)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("scorer", "record"), [("none.yaml", {"output": "a"}), (length(), {"output": "a", "runID": 1})]
)
def test_wrong_use_is_one_exception_without_the_frames_of_the_event_loop(project, scorer, record):
    with pytest.raises((TypeError, ScorerkitError)) as refused:
        assert_score(scorer, 1, **record)
    told = "".join(traceback.format_exception(refused.value))
    assert "During handling" not in told
    assert told.count('  File "') == 2


def test_a_record_needs_an_output():
    with pytest.raises(TypeError, match="a record needs 'output'"):
        assert_score(length(), 1, input="a")


def test_a_file_with_mistakes_and_unknown_params_are_none_either(write, polite):
    with pytest.raises(InvalidScorer):
        assert_score(write("bad.yaml", "id: t\n"), 1, output="a")
    with pytest.raises(ScorerkitError, match="no param 'whole'"):
        assert_score(polite, 1, output="a", params={"whole": 1})


def test_async_code_awaits_its_own_form(polite):
    async def in_async_code():
        with pytest.raises(TypeError, match="await assert_score_async here"):
            assert_score(polite, 1, output="a", answers=OK)
        with pytest.raises(AssertionError, match=r"got 0\.5"):
            await assert_score_async(polite, 1, output="a", answers=NOT_OK)
        return await assert_score_async(polite, 1, output="a", answers=OK)

    assert asyncio.run(in_async_code()).score == 1
    assert inspect.signature(assert_score) == inspect.signature(assert_score_async)


pytest_plugins = ["pytester"]


def test_the_fixtures_load_scorers_that_ask_nobody(pytester, polite):
    (pytester.path / "scorerkit.toml").write_text("")
    for folder in ("scorers", "tests"):
        (pytester.path / folder).mkdir()
        (pytester.path / folder / "polite.yaml").write_text(polite.read_text().replace("id: polite", f"id: {folder}"))
    (pytester.path / "tests" / "test_polite.py").write_text("""
from scorerkit.testing import assert_score


def test_beside(load_scorer):
    assert load_scorer("polite.yaml").id == "tests"
    assert load_scorer("polite.yaml").plan is load_scorer("polite.yaml").plan


def test_below_the_root(load_scorer):
    polite = load_scorer("scorers/polite.yaml", params={"half": 0.25}, answers={"analyze": {"ok": False}})
    assert (polite.id, polite.run_sync(output="a").score) == ("scorers", 0.25)
    assert_score(load_scorer("scorers/polite.yaml"), 0.5, output="a", answers={"analyze": {"ok": False}})


def test_by_id(load_scorer):
    assert_score(load_scorer("scorers"), 1, output="a", answers={"analyze": {"ok": True}})
    assert_score(load_scorer("checks/includes", params={"text": "b"}), 1, output="abc")


def test_a_judge(load_scorer, scripted_judge):
    judge = scripted_judge({"analyze": [{"ok": False}, {"ok": True}]})
    assert_score(load_scorer("polite.yaml"), 0.5, output="a", judge=judge)
    assert_score(load_scorer("polite.yaml"), 1, output="a", judge=judge)
    assert len(judge.questions) == 2


def test_fails(load_scorer):
    assert_score(load_scorer("polite.yaml"), 1, output="a", answers={"analyze": {"ok": False}})


def test_unanswered(load_scorer):
    assert_score(load_scorer("polite.yaml"), 1, output="a")
""")
    outcome = pytester.runpytest_inprocess("tests")
    outcome.assert_outcomes(passed=4, failed=2)
    outcome.stdout.fnmatch_lines(["*AssertionError: tests:*", "*  score: expected 1 (± 1e-09), got 0.5*"])
    assert "run_until_complete" not in outcome.stdout.str()
