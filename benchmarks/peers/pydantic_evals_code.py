"""pydantic-evals: a data set in memory, a task that gives the stored output, ``EqualsExpected``, a report in memory."""

from __future__ import annotations

import asyncio
import time

from meter import arguments, records, tell
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected

given = arguments()
rows = records(given.data)
outputs = {row["runId"]: row["output"] for row in rows}


async def stored(run_id: str) -> str:
    return outputs[run_id]


started = time.perf_counter()
cases = [Case(name=row["runId"], inputs=row["runId"], expected_output=row["groundTruth"]) for row in rows]
dataset = Dataset(name="benchmark", cases=cases, evaluators=[EqualsExpected()])
report = asyncio.run(dataset.evaluate(stored, max_concurrency=given.concurrency, progress=False))
tell(sum(not case.evaluator_failures for case in report.cases), started)
