"""The same questions without scorerkit: the plain SDK, and instructor, with the same retries and the same delays."""

import asyncio
import time

from judge_runs_server import KEY, records

CONCURRENCY = 16
RETRIES = 2


async def _patiently(ask):
    """The answer; failed requests are sent again after 500 and 1000 ms. None: lost."""
    for attempt in range(1 + RETRIES):
        try:
            return await ask()
        except Exception as error:
            status = getattr(getattr(error, "__cause__", None) or error, "status_code", None)
            if status is None or attempt == RETRIES:
                return None
            await asyncio.sleep(0.5 * 2**attempt)
    return None


async def _all(ask, count):
    """Seconds and how many were lost."""
    free = asyncio.Semaphore(CONCURRENCY)

    async def one(record):
        async with free:
            return await _patiently(lambda: ask(f"rec={record['input']} How good is it? {record['output']}"))

    started = time.perf_counter()
    answers = await asyncio.gather(*map(one, records(count)))
    return time.perf_counter() - started, answers.count(None)


def _client(url):
    import openai

    http = openai.DefaultAioHttpClient()
    return openai.AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0, http_client=http)


def with_sdk(url, count):
    """Nothing is checked: the text of the answer is the result."""

    async def main():
        async with _client(url) as client:

            async def ask(text):
                messages = [{"role": "user", "content": text}]
                answer = await client.chat.completions.create(model="gpt-4o-mini", messages=messages)
                return answer.choices[0].message.content

            return await _all(ask, count)

    return asyncio.run(main())


def with_instructor(url, count):
    """A pydantic model, and one more try when an answer does not fit it."""
    import instructor
    from pydantic import BaseModel

    class Score(BaseModel):
        score: float

    async def main():
        async with _client(url) as raw:
            client = instructor.from_openai(raw, mode=instructor.Mode.JSON_SCHEMA)

            async def ask(text):
                messages = [{"role": "user", "content": text}]
                return await client.create(model="gpt-4o-mini", messages=messages, response_model=Score, max_retries=1)

            return await _all(ask, count)

    return asyncio.run(main())
