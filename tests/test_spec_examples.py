"""The two scorers that the format's own description prints: they check without errors, and do what they say."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scorerkit.loader import check_file, load_plan, open_project
from scorerkit.model.run import ScorerRun
from scorerkit.pipeline import score_run
from scorerkit.testing import ScriptedJudge

HERE = Path(__file__).parent / "examples"


@pytest.mark.parametrize("name", ["answer-relevancy", "factual"])
def test_a_printed_example_has_no_errors(name):
    assert check_file(HERE / f"{name}.yaml", f"{name}.yaml", open_project()).errors == []


def test_the_tests_of_the_long_example_come_out():
    settings = open_project()
    checked = check_file(HERE / "answer-relevancy.yaml", "answer-relevancy.yaml", settings)
    plan = load_plan(checked, settings)
    outcomes = []
    for test in checked.definition.get("tests"):
        run = ScorerRun(input=test["run"]["input"], output=test["run"]["output"], run_id="t")
        result = asyncio.run(score_run(plan, run, ScriptedJudge(test["answers"])))
        outcomes.append((result.status, result.score, result.reason))
    assert outcomes == [
        ("scored", 0.5, "Only one of two statements answers."),
        ("notScorable", None, None),
    ]


@pytest.mark.parametrize(("label", "score"), [("correct", 1), ("partly", 0.5), ("wrong", 0)])
def test_the_short_example_turns_labels_into_numbers(label, score):
    settings = open_project()
    plan = load_plan(check_file(HERE / "factual.yaml", "factual.yaml", settings), settings)
    judge = ScriptedJudge({"generateScore": {"reasoning": "…", "label": label}})
    result = asyncio.run(score_run(plan, ScorerRun("q", "a", "a", run_id="t"), judge))
    assert (result.status, result.score, result.judge_output["label"]) == ("scored", score, label)
    assert "contradicts the reference or misses its point" in judge.questions[0].prompt
