"""Whole pipelines, made with the chain, against what the reference answers to the same ones."""

import asyncio
import json
import math
from pathlib import Path

import pytest

from scorerkit import NotScorable, create_scorer
from scorerkit.errors import InvalidScorer, ScorerkitError
from scorerkit.model.judge import JudgeError
from scorerkit.testing import ScriptedJudge

ROWS = [json.loads(line) for line in (Path(__file__).parent / "vectors/pipeline.jsonl").read_text("utf-8").splitlines()]
ADD = {
    "preprocess": "preprocess",
    "analyze": "analyze",
    "generateScore": "generate_score",
    "generateReason": "generate_reason",
}
KNOWN = {
    "input": "input",
    "output": "output",
    "groundTruth": "ground_truth",
    "runId": "run_id",
    "requestContext": "request_context",
    "metadata": "metadata",
}
DIFFERENT = {
    "pipeline-007": "the order of steps is fixed by the pipeline",
    "pipeline-021": "the number is kept in generateScoreStepResult",
    "pipeline-029": "once there is a score it is too late to be not scorable",
    "pipeline-031": "a verdict that is not scorable must be returned itself; nested in a result it is no JSON",
    "pipeline-045": "a reason is text",
    "pipeline-005": "a reason is text",
    "pipeline-049": "no step changes what later steps see",
    "pipeline-065": "an output must be given",
}


def plain(view):
    return {key: value for key, value in view.to_dict().items() if value is not None and key != "runId"}


def seen(run, results):
    return {"run": plain(run), "results": results.to_dict()}


def at(path, run):
    value = {"run": run.to_dict()}
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def function(do):
    """A Python step that does what a vector says."""

    def step(run, results):
        if "throw" in do:
            raise RuntimeError(do["throw"])
        if "notScorable" in do:
            return NotScorable(do["notScorable"])
        if "nestedNotScorable" in do:
            return {"inner": NotScorable(do["nestedNotScorable"])}
        if "mutate" in do:
            results.to_dict()["extra"] = 1
            return "mutated"
        if "number" in do:
            return math.nan
        if "echo" in do:
            return seen(run, results)
        if "path" in do or "length" in do:
            value = at(do.get("path") or do["length"], run)
            return len(value) if "length" in do else value
        return do["return"]

    async def slow(run, results):
        await asyncio.sleep(do["slow"] / 1000)
        return do["return"]

    return slow if "slow" in do else step


def prepared(spec):
    if "filter" in spec:
        return spec["filter"]

    def prepare(run):
        if "throw" in spec:
            raise RuntimeError(spec["throw"])
        if "drop" in spec:
            return {key: None for key in spec["drop"] if key != "runId"}
        if "replace" in spec:
            return {"input": None, "output": None, **spec["replace"]}
        return {key: value for key, value in spec["set"].items() if key in KNOWN}

    return prepare


def template(step):
    def broken():
        raise RuntimeError(step["promptThrows"])

    return broken if "promptThrows" in step else step["prompt"].replace("{{", "{{ ").replace("}}", " }}")


def scorer(row):
    params = row["params"]
    answers = {step: answer_of(answer) for step, answer in (row.get("judge") or {}).items()}
    keys = {"type": params["type"]} if "type" in params else {}
    if "prepareRun" in params:
        keys["prepare_run"] = prepared(params["prepareRun"])
    judge = {"judge": ScriptedJudge(answers)} if "judge" in params else {}
    made = create_scorer(id=params.get("id", "my-scorer"), **keys, **judge)
    for step in params["steps"]:
        if "do" in step:
            made = getattr(made, ADD[step["step"]])(function(step["do"]))
        else:
            schema = {"output_schema": step["outputSchema"]} if "outputSchema" in step else {}
            made = getattr(made, ADD[step["step"]])(prompt=template(step), **schema)
    return made


def answer_of(answer):
    if isinstance(answer, dict) and "$throw" in answer:
        return JudgeError("judge-unavailable", answer["$throw"]["message"])
    if isinstance(answer, dict) and "$attempts" in answer:
        return answer["$attempts"][-1]
    return answer


def result_of(row):
    """The result, or None where the scorer itself is refused."""
    run = {KNOWN[key]: value for key, value in row["run"].items() if key in KNOWN}
    try:
        return scorer(row).run_sync(**run)
    except (InvalidScorer, ScorerkitError, TypeError, ValueError):
        return None


def told(row):
    """What of a result is compared: what the vector fixes, repaired where it says so."""
    want = row["expected"]
    repaired = row.get("expectedRepaired")
    if repaired is not None:
        return {"failed": True} if repaired.get("error") else {"score": repaired["score"]}
    if "error" in want:
        return {
            "failed": True,
            **({"failedStep": want["error"]["failedStep"]} if "failedStep" in want["error"] else {}),
        }
    keys = ("score", "reason", "preprocessStepResult", "analyzeStepResult", "notScorable", "preprocessPrompt")
    return {
        key: want["result"][key] for key in (*keys, "analyzePrompt", "generateScorePrompt") if key in want["result"]
    }


def without_additions(value):
    """A step result without fields that a run does not have."""
    if isinstance(value, dict):
        return {key: without_additions(inner) for key, inner in value.items() if key not in ("added", "custom")}
    return value


@pytest.mark.parametrize("row", [row for row in ROWS if row["id"] not in DIFFERENT], ids=lambda row: row["id"])
def test_a_pipeline_answers_as_the_reference(row):
    result, want = result_of(row), told(row)
    if want.pop("failed", False):
        assert result is None or result.status == "failed"
        assert result is None or result.failed_step == want.get("failedStep", result.failed_step)
    else:
        shown = {key: without_additions(value) for key, value in result.to_dict().items()}
        assert {key: shown.get(key) for key in want} == {key: without_additions(want[key]) for key in want}


@pytest.mark.parametrize("row", [row for row in ROWS if row["id"] in DIFFERENT], ids=lambda row: row["id"])
def test_a_pipeline_that_is_said_to_differ_does(row):
    result = result_of(row)
    shown = {} if result is None else result.to_dict()
    wanted = row["expected"].get("result", {})
    keys = ("score", "reason", "preprocessStepResult", "analyzeStepResult", "notScorable")
    other = [key for key in keys if shown.get(key) != wanted.get(key)]
    assert other or shown["completedSteps"] != row["expected"]["executed"]
