"""How the public door is used, as a type checker sees it. Checked by mypy, never run."""

from __future__ import annotations

from typing import assert_type

import scorerkit
from scorerkit import Report, Scorer, ScorerBuilder, ScorerResult
from scorerkit.testing import ScriptedJudge, agent_run, assert_score, assert_score_async


def scoring(run: object) -> float:
    return 1.0


async def use() -> None:
    scorer = scorerkit.load_scorer("scorer.yaml", params={"weight": 0.5})
    assert_type(scorer, Scorer)
    assert_type(scorer.id, str)
    assert_type(scorer.digest, str | None)
    result = await scorer.run(input="question", output="answer", run_id="r-1")
    assert_type(result, ScorerResult)
    assert_type(result.score, float | int | None)
    assert_type(result.reason, str | None)
    assert_type(scorer.run_sync(output="answer"), ScorerResult)

    builder = scorerkit.create_scorer(id="tone", judge=ScriptedJudge({})).generate_score(scoring)
    assert_type(builder, ScorerBuilder)
    assert_type(builder.build(), Scorer)
    assert_type(await builder.run(output=1), ScorerResult)

    assert_type(assert_score("scorer.yaml", 0.5, output="answer", params={"weight": 1}, tolerance=0.1), ScorerResult)
    assert_type(assert_score(scorer, "notScorable", output="", answers={"analyze": {"ok": True}}), ScorerResult)
    assert_type(await assert_score_async(builder, (0.5, None), output=1, judge=ScriptedJudge({})), ScorerResult)
    assert_score(builder, {"score": 1, "reason": {"matches": "x"}}, **agent_run("question", []))

    report = await scorerkit.score([scorer, builder, "scorer.yaml"], data="runs.jsonl", concurrency=16)
    assert_type(report, Report)
    assert_type(report.results, tuple[ScorerResult, ...])
    assert_type(scorerkit.score_sync([scorer], [{"output": 1}]), Report)

    try:
        result.raise_for_status()
    except scorerkit.ScorerRunError as error:
        assert_type(error.failed_step, str | None)
        assert_type(error.result, ScorerResult)
    except scorerkit.InvalidScorer as error:
        assert_type(error.problems, tuple[scorerkit.Problem, ...])


class Echo:
    """A judge of one's own needs no base class."""

    async def ask(self, question: object) -> object:
        return question

    async def close(self) -> None:
        return None


def wrong() -> None:
    assert_score("scorer.yaml", 1)  # type: ignore[call-arg]
    assert_score("scorer.yaml", 1, output="", ouptut="")  # type: ignore[call-arg]
    scorerkit.create_scorer()  # type: ignore[call-arg]
    scorerkit.load_scorer(1)  # type: ignore[arg-type]
