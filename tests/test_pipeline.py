"""One record through one scorer: what comes out, whatever happens on the way."""

import asyncio
import time

import pytest

import scorerkit
from scorerkit import NotScorable, create_scorer, load_scorer
from scorerkit.model.judge import JudgeError
from scorerkit.pipeline import FatalJudge, score_run
from scorerkit.testing import ScriptedJudge, agent_run, message

VERDICT = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
pytestmark = pytest.mark.usefixtures("project")


def boom():
    message = "boom"
    raise ValueError(message)


def outcome(result):
    """The parts of a result that every status has."""
    return result.status, result.score, result.failed_step, result.completed_steps


@pytest.fixture
def score(write):
    """(text of a scorer file, record, answers) → result."""

    def scored(text, record, answers=None):
        file = write("scorer.yaml", text)
        judge = ScriptedJudge(answers) if answers is not None else None
        return load_scorer(file, judge=judge).run_sync(**record)

    return scored


FOUR = """
    id: four
    judge: {model: openai/m, instructions: "Be fair to {{ run.input }}."}
    steps:
      preprocess: {expression: "run.output | upper"}
      analyze:
        prompt: "Is {{ results.preprocessStepResult }} fine?"
        outputSchema: {type: object, properties: {ok: {type: boolean}}, required: [ok]}
      generateScore: {expression: "1 if results.analyzeStepResult.ok else 0"}
      generateReason: {prompt: "Why {{ score }}?"}
"""


def test_a_scored_record_has_everything(score):
    result = score(
        FOUR, {"input": "q", "output": "a", "run_id": "r"}, {"analyze": {"ok": True}, "generateReason": "so"}
    )
    assert outcome(result) == ("scored", 1, None, ["preprocess", "analyze", "generateScore", "generateReason"])
    assert result.to_dict() | {"durationMs": 0, "judge": None} == {
        "runId": "r",
        "status": "scored",
        "score": 1,
        "passed": None,
        "reason": "so",
        "preprocessStepResult": "A",
        "analyzeStepResult": {"ok": True},
        "generateScoreStepResult": 1,
        "analyzePrompt": result.prompts["analyze"],
        "generateReasonPrompt": "Why 1?",
        "judge": None,
        "failedStep": None,
        "completedSteps": ["preprocess", "analyze", "generateScore", "generateReason"],
        "error": None,
        "notScorable": None,
        "scorer": {"id": "four", "name": "four", "version": None, "digest": result.scorer["digest"]},
        "params": {},
        "judgeDigest": result.judge_digest,
        "durationMs": 0,
        "metadata": None,
    }
    assert result.prompts["analyze"].startswith("Is A fine?")
    assert len(result.judge["analyze"]) == 1


STEPS = ["preprocess", "analyze", "generateScore", "generateReason"]


@pytest.mark.parametrize("failing", STEPS)
def test_a_failing_step_is_named_and_what_came_before_is_kept(failing):
    scorer = create_scorer(id="s")
    for name in STEPS:
        step = {"generateScore": scorer.generate_score, "generateReason": scorer.generate_reason}.get(name)
        value = {"generateScore": 0.5, "generateReason": "so"}.get(name, name)
        scorer = (step or getattr(scorer, name))(boom if name == failing else lambda value=value: value)
    result = scorer.run_sync(output=1)
    before = STEPS[: STEPS.index(failing)]
    assert outcome(result) == ("failed", None, failing, before)
    assert list(result.steps) == before
    assert (result.error["code"], "ValueError: boom" in result.error["message"]) == ("step-failed", True)
    assert "boom, tests/test_pipeline.py:" in result.error["why"]


def test_a_failing_reason_keeps_the_number_outside_the_score():
    result = create_scorer(id="s").generate_score(lambda: 0.75).generate_reason(boom).run_sync(output=1)
    assert (result.score, result.passed, result.generate_score_step_result) == (None, None, 0.75)
    assert result.to_dict()["generateScoreStepResult"] == 0.75


def test_a_judge_that_fails_keeps_its_execution_and_the_prompt(score):
    error = JudgeError("judge-unavailable", "down", execution={"status": "failed", "attemptCount": 3})
    result = score(FOUR, {"output": "a"}, {"analyze": error})
    assert outcome(result) == ("failed", None, "analyze", ["preprocess"])
    assert result.judge["analyze"][0]["attemptCount"] == 3
    assert result.error["at"] == {"path": "scorer.yaml", "line": 6} or result.error["at"]["line"] == 6


# -- scores --------------------------------------------------------------------------------------------------------------


class Number:
    """As numeric libraries have them."""

    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value


@pytest.mark.parametrize(
    ("given", "score"),
    [(1, 1), (0.25, 0.25), (True, 1), (False, 0), (-3, -3), (Number(0.5), 0.5), (Number(True), 1), (1e308, 1e308)],
)
def test_numbers_are_scores_and_booleans_count_as_1_and_0(given, score):
    result = create_scorer(id="s").generate_score(lambda: given).run_sync(output=1)
    assert (result.status, result.score, type(result.score)) == ("scored", score, type(score))


@pytest.mark.parametrize(
    "given",
    ["0.9", "", None, float("nan"), float("inf"), -float("inf"), [1], {"score": 1}, 10**400, 1j, Number("1"), b"1"],
    ids=lambda each: type(each).__name__,
)
def test_everything_else_is_a_bad_score(given):
    result = create_scorer(id="s").generate_score(lambda: given).run_sync(output=1)
    assert outcome(result) == ("failed", None, "generateScore", [])
    assert result.error["code"] == "bad-score"
    assert "generateScore" not in result.steps


@pytest.mark.parametrize(("value", "status"), [(0, "scored"), (1, "scored"), (1.0000001, "failed"), (-1e-9, "failed")])
def test_the_bounds_of_the_range_are_inside_and_nothing_is_clamped(value, status):
    result = create_scorer(id="s", range={"min": 0, "max": 1}).generate_score(lambda: value).run_sync(output=1)
    assert result.status == status
    if status == "failed":
        assert (result.error["code"], result.failed_step, result.completed_steps) == (
            "out-of-range",
            "generateScore",
            [],
        )
        assert result.score is None


@pytest.mark.parametrize(
    ("keys", "score", "passed"),
    [
        ({}, 1, None),
        ({"threshold": 0.5}, 0.5, True),
        ({"threshold": 0.5}, 0.4999, False),
        ({"threshold": 0.5, "direction": "minimize"}, 0.5, True),
        ({"threshold": 0.5, "direction": "minimize"}, 0.51, False),
        ({"threshold": {"min": 1, "max": 2}}, 2, True),
        ({"threshold": {"min": 1, "max": 2}}, 2.1, False),
    ],
)
def test_passed_says_whether_the_score_is_inside_the_threshold(keys, score, passed):
    assert create_scorer(id="s", **keys).generate_score(lambda: score).run_sync(output=1).passed is passed


@pytest.mark.parametrize("given", [1, {"why": "x"}, ["x"]], ids=lambda each: type(each).__name__)
def test_a_reason_that_is_no_text_fails_the_record(given):
    result = create_scorer(id="s").generate_score(lambda: 1).generate_reason(lambda: given).run_sync(output=1)
    assert outcome(result) == ("failed", None, "generateReason", ["generateScore"])
    assert result.error["code"] == "step-failed"


# -- when ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", [0, 1])
def test_a_step_that_is_skipped_is_null_and_not_completed(score, output):
    result = score(
        """
        id: s
        steps:
          preprocess: {expression: "'ran'", when: run.output}
          generateScore: {expression: "1 if results.preprocessStepResult is none else 0"}
          generateReason: {expression: "'low'", when: score < 1}
        """,
        {"output": output},
    )
    ran = ["preprocess", "generateScore", "generateReason"] if output else ["generateScore"]
    assert (result.score, result.completed_steps) == (1 - output, ran)
    assert (result.preprocess_step_result, result.reason) == (("ran", "low") if output else (None, None))


def test_a_condition_that_fails_fails_its_step(score):
    result = score(
        """
        id: s
        steps:
          preprocess: {expression: "1", when: run.output.missing}
          generateScore: {expression: "1"}
        """,
        {"output": {}},
    )
    assert (result.status, result.failed_step, result.error["code"]) == ("failed", "preprocess", "unknown-name")
    assert result.error["at"] == {"path": "scorer.yaml", "line": 3} or result.error["at"]["line"] == 3


# -- not scorable --------------------------------------------------------------------------------------------------------

GUARDED = """
    id: s
    notScorable:
      - {when: not run.output, reason: empty}
      - {when: not results.preprocessStepResult, reason: no words}
      - {when: results.analyzeStepResult > 2, reason: too many}
    steps:
      preprocess: {expression: run.output.split()}
      analyze: {expression: results.preprocessStepResult | length}
      generateScore: {expression: "1"}
"""


@pytest.mark.parametrize(
    ("output", "step", "reason", "completed"),
    [
        ("", None, "empty", []),
        (" ", "preprocess", "no words", ["preprocess"]),
        ("a b c", "analyze", "too many", ["preprocess", "analyze"]),
    ],
)
def test_guards_fire_as_soon_as_their_names_are_known(score, output, step, reason, completed):
    result = score(GUARDED, {"output": output})
    assert (result.status, result.score, result.failed_step) == ("notScorable", None, None)
    assert result.not_scorable == {"step": step, "reason": reason}
    assert (result.completed_steps, result.error) == (completed, None)


def test_a_record_that_no_guard_stops_is_scored(score):
    assert score(GUARDED, {"output": "a b"}).status == "scored"


def test_a_guard_that_fails_is_outside_all_steps(score):
    text = GUARDED.replace("not results.preprocessStepResult,", "results.preprocessStepResult.x.y,")
    result = score(text, {"output": "a"})
    assert (result.status, result.failed_step, result.completed_steps) == ("failed", None, ["preprocess"])


@pytest.mark.parametrize("step", ["preprocess", "analyze", "generate_score"])
@pytest.mark.parametrize("raised", [True, False], ids=["raised", "returned"])
def test_a_function_can_say_that_there_is_nothing_to_judge(step, raised):
    def verdict():
        if raised:
            raise NotScorable("why")
        return NotScorable("why")

    scorer = getattr(create_scorer(id="s"), step)(verdict)
    if step != "generate_score":
        scorer = scorer.generate_score(lambda: 1)
    result = scorer.run_sync(output=1)
    name = {"generate_score": "generateScore"}.get(step, step)
    assert (result.status, result.not_scorable) == ("notScorable", {"step": name, "reason": "why"})


@pytest.mark.parametrize(
    "reason",
    ["{expression: \"not_scorable('late')\"}", "{expression: \"'x'\", when: \"not_scorable('late')\"}"],
    ids=["the step", "its condition"],
)
def test_once_there_is_a_score_it_is_too_late(score, reason):
    text = f"id: s\nsteps:\n  generateScore: {{expression: '0.5'}}\n  generateReason: {reason}\n"
    result = score(text, {"output": 1})
    assert outcome(result) == ("failed", None, "generateReason", ["generateScore"])
    assert (result.error["code"], result.error["why"]) == ("step-failed", "once there is a score it is too late")
    assert "late" in result.error["message"]
    assert result.error["at"]["line"] == 4
    assert (result.generate_score_step_result, result.not_scorable) == (0.5, None)


def test_failing_on_purpose_is_step_failed_in_the_author_s_words(score):
    result = score("id: s\nsteps: {generateScore: {expression: \"fail('no such city')\"}}\n", {"output": 1})
    assert (result.error["code"], result.error["message"]) == ("step-failed", "no such city")


# -- prepareRun and type ---------------------------------------------------------------------------------------------------


async def later(run):
    await asyncio.sleep(0)
    return {"output": run.output + 1}


@pytest.mark.parametrize(
    ("prepare", "output"),
    [
        (lambda run: {"output": 5}, 5),
        (lambda run: {"output": 5, "groundTruth": 1}, 5),
        (lambda run: {"output": 5, "ground_truth": 1}, 5),
        (lambda run: run, 1),
        (lambda run: run.to_dict() | {"output": 7}, 7),
        (lambda run: scorerkit.ScorerRun(output=8), 8),
        (later, 2),
        ([later, later], 3),
        ({"expression": "{'output': run.output * 10}"}, 10),
    ],
)
def test_prepare_run_changes_what_steps_see(prepare, output):
    assert (
        create_scorer(id="s", prepare_run=prepare).generate_score(lambda run: run.output).run_sync(output=1).score
        == output
    )


def test_prepare_run_never_changes_the_id_or_the_record():
    record = {"a": [1]}

    def prepare(run):
        run.output["a"].append(2)
        return {"runId": "other"}

    scorer = create_scorer(id="s", prepare_run=prepare).generate_score(lambda run: len(run.output["a"]))
    result = scorer.run_sync(output=record, run_id="mine")
    assert (result.run_id, result.score, record) == ("mine", 1, {"a": [1]})


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        (boom, "step-failed"),
        (lambda: 3, "step-failed"),
        (lambda: None, "step-failed"),
        (lambda: {"outptu": 1}, "step-failed"),
        (lambda: {"output": object()}, "step-failed"),
        ({"expression": "run.output.x"}, "unknown-name"),
    ],
)
def test_a_failing_prepare_run_is_its_own_failed_step(prepare, code):
    result = create_scorer(id="s", prepare_run=prepare).generate_score(lambda: 1).run_sync(output=1)
    assert outcome(result) == ("failed", None, "prepareRun", [])
    assert result.error["code"] == code


def test_prepare_run_can_say_that_there_is_nothing_to_judge():
    result = create_scorer(id="s", prepare_run=lambda: NotScorable("x")).generate_score(lambda: 1).run_sync(output=1)
    assert (result.status, result.not_scorable["step"]) == ("notScorable", "prepareRun")


def test_filters_apply_to_agent_records(score):
    given = agent_run(
        "q", [message("assistant", "one"), message("assistant", "two")], remembered=[message("user", "x")]
    )
    result = score(
        """
        id: s
        type: agent
        prepareRun: [{maxOutputMessages: 1}, {dropGroundTruth: true, maxRememberedMessages: 0}]
        steps:
          generateScore:
            expression: >-
              (run.output | length) + 10 * (run.input.rememberedMessages | length) + (0 if run.groundTruth is none else 100)
        """,
        {**given, "ground_truth": "x"},
    )
    assert result.score == 1


def test_the_type_is_checked_after_prepare_run_and_before_anything_else(score):
    text = """
        id: s
        type: {output: {type: integer}}
        notScorable: [{when: true, reason: never}]
        prepareRun: {expression: "{'output': run.output | int}"}
        steps: {generateScore: {expression: "1"}}
    """
    assert score(text, {"output": "3"}).status == "notScorable"
    without = score(text.replace("prepareRun: {expression: \"{'output': run.output | int}\"}", ""), {"output": "3"})
    assert (without.status, without.error["code"], without.failed_step) == ("failed", "type-mismatch", None)
    assert "output" in without.error["message"]


def test_an_agent_record_that_is_not_understood_is_outside_all_steps(score):
    result = score("id: s\ntype: agent\nsteps: {generateScore: {expression: '1'}}\n", {"output": 3})
    assert (result.error["code"], result.failed_step) == ("type-mismatch", None)


# -- functions -------------------------------------------------------------------------------------------------------------


def test_functions_of_all_colours_work():
    async def slowly(run):
        await asyncio.sleep(0.001)
        return run.output

    scorer = (
        create_scorer(id="s").preprocess(slowly).analyze(lambda results: results.preprocess_step_result + 1)
    ).generate_score(lambda results: results.analyze_step_result, thread=True)
    assert scorer.run_sync(output=1).score == 2


def test_an_object_with_an_async_call_is_awaited():
    class Scoring:
        async def __call__(self, run):
            return run.output

    assert create_scorer(id="s").generate_score(Scoring()).run_sync(output=3).score == 3


@pytest.mark.parametrize("thread", [True, False])
@pytest.mark.parametrize(
    "error",
    [StopIteration, SystemExit, asyncio.CancelledError, RecursionError, TimeoutError, MemoryError],
)
def test_whatever_a_function_raises_fails_its_record_only(thread, error):
    def raising():
        raise error

    result = create_scorer(id="s").generate_score(raising, thread=thread).run_sync(output=1)
    assert (result.status, result.error["code"]) == ("failed", "step-failed")
    assert error.__name__ in result.error["message"]


def test_a_function_cannot_change_what_others_see():
    given = {"list": [1], "map": {"k": 1}}

    def change(run, results, params):
        run.output["list"].append(2)
        run.output["map"].clear()
        params["p"].append(9)
        return [results.to_dict(), run.output]

    def count(run, results, params):
        results.preprocess_step_result.clear()
        return len(run.output["list"]) + len(run.output["map"]) + len(params["p"])

    def again(results):
        return str(len(results.preprocess_step_result))

    scorer = create_scorer(id="s", params={"p": {"default": [1]}}).preprocess(change).analyze(count)
    result = (
        scorer.generate_score(lambda results: results.analyze_step_result).generate_reason(again).run_sync(output=given)
    )
    assert (result.score, result.reason) == (3, "2")
    assert given == {"list": [1], "map": {"k": 1}}
    assert result.params == {"p": [1]}


def test_the_with_of_a_file_is_the_same_for_every_record(write):
    write("mine.py", "def score(words):\n    words.append(1)\n    return len(words)\n")
    file = write("scorer.yaml", "id: s\nsteps: {generateScore: {function: mine.score, with: {words: []}}}\n")
    scorer = load_scorer(file)
    assert [scorer.run_sync(output=1).score for _ in range(2)] == [1, 1]


@pytest.mark.parametrize("change", ["run.output = 1", "results.analyze_step_result = 1", "del run.output", "run.x = 1"])
def test_views_are_frozen(change):
    def score(run, results):
        exec(change, {"run": run, "results": results})

    result = create_scorer(id="s").generate_score(score).run_sync(output=1)
    assert "AttributeError" in result.error["message"]


def test_a_camel_case_name_gets_a_hint():
    result = create_scorer(id="s").generate_score(lambda run: run.groundTruth).run_sync(output=1)
    assert "in Python it is 'ground_truth'" in result.error["message"]


def test_a_function_gets_what_it_declares():
    def score(run, params, threshold=3, **rest):
        return run.output + params["p"] + threshold + len(rest)

    assert create_scorer(id="s", params={"p": {"default": 10}}).generate_score(score).run_sync(output=1).score == 14


# -- stopping --------------------------------------------------------------------------------------------------------------


def test_a_fatal_judge_carries_the_result_of_the_record_it_met(score, write):
    file = write("scorer.yaml", FOUR)
    judge = ScriptedJudge({"analyze": JudgeError("judge-rejected", "no", fatal=True)})
    plan = load_scorer(file, judge=judge).plan
    with pytest.raises(FatalJudge) as caught:
        asyncio.run(score_run(plan, scorerkit.ScorerRun(output="a"), judge))
    assert outcome(caught.value.result) == ("failed", None, "analyze", ["preprocess"])
    assert score(FOUR, {"output": "a"}, {"analyze": JudgeError("judge-rejected", "no", fatal=True)}).status == "failed"


def test_a_record_can_be_cancelled():
    async def forever():
        await asyncio.sleep(60)

    async def run():
        async with asyncio.timeout(0.02):
            await create_scorer(id="s").generate_score(forever).run(output=1)

    started = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(run())
    assert time.monotonic() - started < 5


def test_the_time_of_a_record_is_measured():
    result = create_scorer(id="s").generate_score(lambda: time.sleep(0.01) or 1).run_sync(output=1)
    assert 10 <= result.duration_ms < 5000
