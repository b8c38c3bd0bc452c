"""The Python door: what the documentation shows runs, and wrong use is said at once."""

import asyncio
import json
from pathlib import Path

import pytest

import scorerkit
from scorerkit import InvalidScorer, MissingKey, ScorerRunError, create_scorer, load_scorer
from scorerkit.errors import DataError, NothingSelected, ScorerkitError
from scorerkit.testing import ScriptedJudge

pytestmark = pytest.mark.usefixtures("project")

RELEVANCY = """
    id: answer-relevancy
    params: {uncertaintyWeight: {type: number, default: 0.3}}
    judge: {model: openai/gpt-4o-mini-2024-07-18}
    range: {min: 0, max: 1}
    threshold: 0.7
    steps:
      preprocess:
        prompt: "Split: {{ run.output | fenced }}"
        outputSchema: {type: object, properties: {statements: {type: array, items: {type: string}}}, required: [statements]}
      generateScore: {expression: "params.uncertaintyWeight * (results.preprocessStepResult.statements | length)"}
      generateReason: {prompt: "Why {{ score }}?"}
"""
VERDICTS = {"type": "object", "properties": {"score": {"type": "number"}}, "required": ["score"]}
CODE = "id: code\nsteps: {generateScore: {expression: run.output}}\n"


@pytest.fixture
def relevancy(write):
    return write("scorers/answer-relevancy.yaml", RELEVANCY)


def judge():
    return ScriptedJudge(
        {"preprocess": {"statements": ["a", "b"]}, "analyze": {"score": 0.5}, "generateReason": "because"}
    )


# -- the page of the documentation ---------------------------------------------------------------------------------------------


def test_a_file_is_loaded_with_params_and_run(relevancy):
    async def use():
        scorer = load_scorer("scorers/answer-relevancy.yaml", params={"uncertaintyWeight": 0.5}, judge=judge())
        return await scorer.run(input="Capital of France?", output="Paris.")

    result = asyncio.run(use())
    assert (result.score, result.reason, result.status, result.passed) == (1.0, "because", "scored", True)
    assert result.to_dict()["preprocessStepResult"] == {"statements": ["a", "b"]}


def test_a_scorer_is_found_by_its_id(relevancy):
    assert load_scorer("answer-relevancy", judge=judge()).run_sync(output="x").score == 0.6


def tone():
    return (
        create_scorer(id="tone", description="How polite it is", judge=judge())
        .preprocess(lambda run: {"text": run.output})
        .analyze(description="d", prompt="…{{ results.preprocessStepResult.text | fenced }}", output_schema=VERDICTS)
        .generate_score(lambda results: results.analyze_step_result["score"])
        .generate_reason(description="d", prompt=lambda run, score: f"…{run.output} {score}…")
    )


def test_the_chain_makes_a_scorer():
    scorer = tone()
    result = scorer.run_sync(input="q", output="Dear sir")
    assert (result.score, result.reason) == (0.5, "because")
    assert scorer.judge.questions[-1].prompt == "…Dear sir 0.5…"


def test_files_and_chains_score_one_data_set_together(relevancy, write):
    write("runs.jsonl", [{"runId": f"r{i}", "output": "x"} for i in range(3)])
    scorers = [load_scorer("scorers/answer-relevancy.yaml", judge=judge()), tone()]
    report = asyncio.run(scorerkit.score(scorers, data="runs.jsonl", concurrency=16, output="out.jsonl"))
    assert [result.run_id for result in report.results] == ["r0", "r0", "r1", "r1", "r2", "r2"]
    assert [scorer["mean"] for scorer in report.summary["scorers"]] == [pytest.approx(0.6), 0.5]
    with Path("out.jsonl").open(encoding="utf-8") as lines:
        assert [json.loads(line)["scorer"]["id"] for line in lines] == ["answer-relevancy", "tone"] * 3


# -- the chain -------------------------------------------------------------------------------------------------------------------


def test_a_chain_never_changes_its_parent():
    base = create_scorer(id="s").preprocess(lambda: 1)
    one, two = base.generate_score(lambda: 1), base.generate_score(lambda: 0)
    assert (one.run_sync(output=1).score, two.run_sync(output=1).score) == (1, 0)
    with pytest.raises(InvalidScorer):
        base.build()


def test_the_order_of_calls_does_not_matter():
    late = create_scorer(id="s").generate_reason(lambda score: f"{score}").generate_score(lambda: 1)
    assert late.run_sync(output=1).reason == "1"
    assert [planned.step.name for planned in late.build().plan.steps] == ["generateScore", "generateReason"]


@pytest.mark.parametrize("name", ["preprocess", "analyze", "generate_score", "generate_reason"])
def test_a_step_given_twice_is_an_error(name):
    builder = getattr(create_scorer(id="s"), name)(lambda: 1)
    with pytest.raises(TypeError, match="given twice"):
        getattr(builder, name)(lambda: 1)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: create_scorer(id="s", treshold=1), "treshold"),
        (lambda: create_scorer(id="s").analyze(promt="x"), "promt"),
        (lambda: create_scorer(id="s", steps={}), "steps"),
        (lambda: create_scorer("s"), "positional"),
        (create_scorer, "id"),
        (lambda: create_scorer(id="s", prepare_run=object()), "object"),
        (lambda: load_scorer("x.yaml", judge="openai/m"), "judge_model"),
        (lambda: load_scorer(3), "int"),
        (lambda: create_scorer(id="s").generate_score(lambda: 1).run_sync(), "output"),
        (lambda: create_scorer(id="s").generate_score(lambda: 1).run_sync(output=1, outptu=2), "outptu"),
        (lambda: create_scorer(id="s").generate_score(lambda: 1).run_sync(output=object()), "'output' cannot be used"),
        (
            lambda: create_scorer(id="s").generate_score(lambda: 1).run_sync(output=float("nan")),
            "'output' cannot be used",
        ),
        (lambda: create_scorer(id="s").generate_score(lambda: 1).run_sync(output=1, run_id=3), "'run_id' is text"),
        (lambda: scorerkit.score_sync([3], [{"output": 1}]), "int"),
        (
            lambda: scorerkit.score_sync(create_scorer(id="s").generate_score(lambda: 1), {"output": 1}),
            "list of records",
        ),
    ],
)
def test_wrong_use_is_a_type_error(make, words):
    with pytest.raises(TypeError, match=words):
        make()


def test_all_problems_come_at_once():
    builder = create_scorer(id="s s", direction="up").generate_score(expression="run.outptu")
    with pytest.raises(InvalidScorer) as caught:
        builder.build()
    codes = {problem.code for problem in caught.value.problems}
    assert len(caught.value.problems) >= 2
    assert "unknown-value" in codes
    assert "<create_scorer" in str(caught.value)


def test_names_are_checked_as_in_a_file():
    with pytest.raises(InvalidScorer) as caught:
        create_scorer(id="s").analyze(lambda score: 1).generate_score(lambda: 1).build()
    assert [problem.code for problem in caught.value.problems] == ["unknown-name"]
    assert "score" in caught.value.problems[0].message


def test_a_function_makes_the_digest_unknown():
    assert create_scorer(id="s").generate_score(lambda: 1).build().digest is None


def test_a_declarative_chain_has_the_digest_of_its_file(write):
    built = (
        create_scorer(
            id="s",
            range={"min": 0, "max": 1},
            params={"w": {"type": "number", "default": 1}},
            judge={"model": "openai/m", "format_retries": 2},
            not_scorable=[{"when": "not run.output", "reason": "r"}],
        )
        .analyze(prompt="Rate {{ run.output }}", output_schema=VERDICTS)
        .generate_score(expression="results.analyzeStepResult.score * params.w")
        .build()
    )
    file = write(
        "s.yaml",
        """
        id: s
        range: {min: 0, max: 1}
        params: {w: {type: number, default: 1}}
        judge: {model: openai/m, formatRetries: 2}
        notScorable: [{when: not run.output, reason: r}]
        steps:
          analyze:
            prompt: Rate {{ run.output }}
            outputSchema: {type: object, properties: {score: {type: number}}, required: [score]}
          generateScore: {expression: results.analyzeStepResult.score * params.w}
        """.replace("prompt: Rate {{ run.output }}", 'prompt: "Rate {{ run.output }}"'),
    )
    assert built.digest == load_scorer(file).digest
    assert built.plan.judge_digest == load_scorer(file).plan.judge_digest


def test_a_pydantic_model_is_a_schema():
    pydantic = pytest.importorskip("pydantic")

    class Verdict(pydantic.BaseModel):
        score: float

    scripted = judge()
    scorer = create_scorer(id="s", judge=scripted).analyze(prompt="x", output_schema=Verdict)
    result = scorer.generate_score(lambda results: results.analyze_step_result["score"]).run_sync(output=1)
    assert result.score == 0.5
    assert "score" in scripted.questions[0].format.schema["properties"]


def test_levels_and_thresholds_of_the_chain():
    scripted = ScriptedJudge({"generateScore": {"reasoning": "r", "label": "good"}})
    scorer = create_scorer(id="s", judge=scripted, threshold=0.5)
    result = scorer.generate_score(prompt="x", levels={"good": 1, "bad": 0}).run_sync(output=1)
    assert (result.score, result.passed, result.judge_output["label"]) == (1, True, "good")


def test_values_handed_to_the_chain_are_copied():
    params = {"w": {"default": [1]}}
    builder = create_scorer(id="s", params=params).generate_score(expression="params.w | length")
    params["w"]["default"].append(2)
    assert builder.run_sync(output=1).score == 1


# -- judges ----------------------------------------------------------------------------------------------------------------------


def test_a_prompt_without_a_model_or_a_judge_is_an_invalid_scorer():
    with pytest.raises(InvalidScorer) as caught:
        create_scorer(id="s").generate_score(prompt="x").build()
    assert [problem.code for problem in caught.value.problems] == ["no-judge"]


def test_a_missing_key_is_said_before_anything_is_scored(relevancy):
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        load_scorer(relevancy).run_sync(output="x")
    with pytest.raises(MissingKey):
        scorerkit.score_sync([relevancy], [{"output": "x"}])


def test_any_object_with_the_protocol_is_a_judge(relevancy):
    class Echo:
        async def ask(self, question):
            from scorerkit.model.judge import Answer

            return Answer({"statements": [question.prompt]} if question.format else "so", {"status": "success"})

        async def close(self):
            return None

    assert load_scorer(relevancy, judge=Echo()).run_sync(output="x").status == "scored"


# -- results ---------------------------------------------------------------------------------------------------------------------


def test_a_failed_record_is_a_result_that_can_be_raised():
    result = create_scorer(id="s").preprocess(lambda: 7).generate_score(lambda: "x").run_sync(output=1, run_id="r")
    with pytest.raises(ScorerRunError, match="'x'") as caught:
        result.raise_for_status()
    error = caught.value
    assert (error.failed_step, error.completed_steps, error.code) == ("generateScore", ("preprocess",), "bad-score")
    assert error.result.preprocess_step_result == 7


@pytest.mark.parametrize("score", [lambda: 1, lambda: scorerkit.NotScorable("x")])
def test_other_results_raise_nothing(score):
    create_scorer(id="s").generate_score(score).run_sync(output=1).raise_for_status()


def test_every_field_of_a_record_arrives():
    fields = {
        "input": 1, "output": 2, "ground_truth": 3, "expected_trajectory": 4, "request_context": {"a": 5},
        "metadata": {"b": 6}, "run_id": "r",
    }  # fmt: skip
    scorer = create_scorer(id="s").preprocess(lambda run: run.to_dict()).generate_score(lambda: 1)
    result = scorer.run_sync(**fields)
    assert list(result.preprocess_step_result.values()) == [1, 2, 3, 4, "r", {"a": 5}, {"b": 6}]
    assert (result.run_id, result.metadata) == ("r", {"b": 6})


def test_the_form_that_is_not_async_says_so_inside_a_loop():
    scorer = create_scorer(id="s").generate_score(lambda: 1)

    async def inside():
        scorer.run_sync(output=1)

    async def data_inside():
        scorerkit.score_sync([scorer], [{"output": 1}])

    for wrong in (inside, data_inside):
        with pytest.raises(TypeError, match="await"):
            asyncio.run(wrong())


# -- data sets -------------------------------------------------------------------------------------------------------------------


def test_records_may_be_given(write):
    file = write("code.yaml", CODE)
    records = [{"runId": "a", "output": 1}, scorerkit.ScorerRun(output=0, run_id="b"), {"output": 1, "lang": "ja"}]
    report = scorerkit.score_sync(file, (record for record in records))
    assert [(result.run_id, result.score) for result in report.results] == [("a", 1), ("b", 0), ("3", 1)]
    assert report.results[2].metadata == {"lang": "ja"}


def test_a_folder_and_an_id_are_scorers(write):
    write("scorers/code.yaml", CODE)
    write("scorers/other.yaml", CODE.replace("id: code", "id: other"))
    assert len(scorerkit.score_sync(["scorers"], [{"output": 1}]).results) == 2
    assert len(scorerkit.score_sync(["other"], [{"output": 1}]).results) == 1


def test_results_need_not_be_kept(write):
    report = scorerkit.score_sync(write("code.yaml", CODE), [{"output": 1}] * 3, keep_results=False)
    assert (report.results, report.summary["scorers"][0]["scored"]) == ((), 3)


def test_a_limit_and_a_timeout(write):
    file = write("code.yaml", CODE)
    write("runs.jsonl", [{"output": 1}] * 3)
    assert len(scorerkit.score_sync(file, "runs.jsonl", limit=2).results) == 2
    assert len(scorerkit.score_sync(file, [{"output": 1}] * 3, limit=2).results) == 2

    async def slow():
        await asyncio.sleep(5)

    report = scorerkit.score_sync(create_scorer(id="s").generate_score(slow), [{"output": 1}], timeout=0.05)
    assert "0.05 s" in report.summary["stopped"]


@pytest.mark.parametrize(
    ("data", "error"),
    [("gone.jsonl", DataError), ("empty.jsonl", NothingSelected), ([], NothingSelected), (iter(()), NothingSelected)],
)
def test_data_that_is_not_there_is_said(write, data, error):
    write("empty.jsonl", "")
    with pytest.raises(error):
        scorerkit.score_sync(write("code.yaml", CODE), data)


def test_no_scorer_is_nothing_to_score_with():
    with pytest.raises(NothingSelected):
        scorerkit.score_sync([], [{"output": 1}])


def test_the_data_is_not_written_over(write):
    data = write("runs.jsonl", [{"output": 1}])
    before = data.read_bytes()
    with pytest.raises(ScorerkitError, match="named twice"):
        scorerkit.score_sync(write("code.yaml", CODE), "runs.jsonl", output="./runs.jsonl")
    assert data.read_bytes() == before


def test_an_output_that_cannot_be_made_is_said_before_scoring(write):
    calls = []
    scorer = create_scorer(id="s").generate_score(lambda: calls.append(1) or 1)
    with pytest.raises(ScorerkitError):
        scorerkit.score_sync(scorer, [{"output": 1}], output="gone/out.jsonl")
    with pytest.raises(ScorerkitError):
        scorerkit.score_sync(scorer, [{"output": 1}], output="out.xyz")
    assert calls == []
