"""pydantic-evals: ``LLMJudge`` with a score and a reason, over the loopback server."""

from __future__ import annotations

import asyncio
import time

from meter import arguments, records, tell
from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import LLMJudge

given = arguments()
rows = records(given.data)
outputs = {row["runId"]: row["output"] for row in rows}


async def stored(run_id: str) -> str:
    return outputs[run_id]


async def judged() -> None:
    client = AsyncOpenAI(base_url=given.base_url, api_key="local")
    model = OpenAIChatModel("gpt-4o-mini-2024-07-18", provider=OpenAIProvider(openai_client=client))
    judge = LLMJudge(
        rubric="The answer means the same as the expected one",
        model=model,
        include_input=True,
        include_expected_output=True,
        score={"include_reason": True},
        assertion=False,
    )
    started = time.perf_counter()
    cases = [Case(name=row["runId"], inputs=row["runId"], expected_output=row["groundTruth"]) for row in rows]
    dataset = Dataset(name="benchmark", cases=cases, evaluators=[judge])
    report = await dataset.evaluate(stored, max_concurrency=given.concurrency, progress=False)
    tell(sum(not case.evaluator_failures for case in report.cases), started)


asyncio.run(judged())
