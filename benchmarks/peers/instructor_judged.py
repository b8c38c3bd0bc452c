"""instructor as its documentation shows it: a pydantic model, one client, a semaphore; nothing stored."""

from __future__ import annotations

import asyncio
import time

import instructor
from meter import arguments, records, tell
from openai import AsyncOpenAI
from pydantic import BaseModel

given = arguments()
rows = records(given.data)


class Score(BaseModel):
    reason: str
    score: float


async def judged() -> None:
    client = instructor.from_openai(
        AsyncOpenAI(base_url=given.base_url, api_key="local", max_retries=0), mode=instructor.Mode.JSON_SCHEMA
    )
    free = asyncio.Semaphore(given.concurrency)

    async def ask(row: dict[str, str]) -> float:
        text = f"Same meaning? Score from 0 to 1.\n{row['input']}\n{row['output']}\n{row['groundTruth']}"
        async with free:
            answer = await client.chat.completions.create(
                model="gpt-4o-mini-2024-07-18",
                messages=[{"role": "user", "content": text}],
                response_model=Score,
                max_retries=0,
            )
        return answer.score

    started = time.perf_counter()
    scores = await asyncio.gather(*map(ask, rows))
    tell(len(scores), started)


asyncio.run(judged())
