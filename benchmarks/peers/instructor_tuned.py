"""instructor at its fastest: a response model that is made once, tool calls, aiohttp below; nothing stored."""

from __future__ import annotations

import asyncio
import time

import instructor
import openai
from meter import arguments, records, tell

given = arguments()
rows = records(given.data)


class Score(instructor.OpenAISchema):
    reason: str
    score: float


async def judged() -> None:
    http = openai.DefaultAioHttpClient()
    sdk = openai.AsyncOpenAI(base_url=given.base_url, api_key="local", max_retries=0, http_client=http)
    client = instructor.from_openai(sdk, mode=instructor.Mode.TOOLS)
    left = iter(rows)
    scores: list[float] = []

    async def work() -> None:
        for row in left:
            text = f"Same meaning? Score from 0 to 1.\n{row['input']}\n{row['output']}\n{row['groundTruth']}"
            answer = await client.chat.completions.create(
                model="gpt-4o-mini-2024-07-18",
                messages=[{"role": "user", "content": text}],
                response_model=Score,
                max_retries=0,
            )
            scores.append(answer.score)

    started = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(given.concurrency)))
    tell(len(scores), started)
    await http.aclose()


asyncio.run(judged())
