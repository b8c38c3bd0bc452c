"""The OpenAI SDK alone: a JSON Schema in the request, ``json.loads`` of the answer; nothing checked, nothing stored."""

from __future__ import annotations

import asyncio
import json
import time

from meter import arguments, records, tell
from openai import AsyncOpenAI

given = arguments()
rows = records(given.data)
SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "number"}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "score", "strict": True, "schema": SCHEMA}}


async def judged() -> None:
    client = AsyncOpenAI(base_url=given.base_url, api_key="local", max_retries=0)
    free = asyncio.Semaphore(given.concurrency)

    async def ask(row: dict[str, str]) -> float:
        text = f"Same meaning? Score from 0 to 1.\n{row['input']}\n{row['output']}\n{row['groundTruth']}"
        async with free:
            answer = await client.chat.completions.create(
                model="gpt-4o-mini-2024-07-18",
                messages=[{"role": "user", "content": text}],
                response_format=FORMAT,
            )
        return float(json.loads(answer.choices[0].message.content)["score"])

    started = time.perf_counter()
    scores = await asyncio.gather(*map(ask, rows))
    tell(len(scores), started)


asyncio.run(judged())
