"""A judge on the loopback address that notes what it was asked: one thread, answers after a moment."""

import asyncio
import json
import re
import threading
from collections import Counter

ASKED = re.compile(r"rec=(\w+) step=(\w+)")


class Judge:
    """Scores by the record's number, so that a result tells which question it answers."""

    def __init__(self, delay=0.0):
        self.delay = delay
        self.asked = Counter()
        self.in_flight = self.most_in_flight = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ready = threading.Event()

    def __enter__(self):
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    @property
    def requests(self):
        return sum(self.asked.values())

    def _serve(self):
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _connected(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                size = int(re.search(rb"content-length: (\d+)", head, re.IGNORECASE)[1])
                body = json.loads(await reader.readexactly(size))
                answer = await self._answer(body)
                writer.write(
                    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(answer)
                )
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            writer.close()

    async def _answer(self, body):
        record, step = ASKED.search(json.dumps(body["messages"])).groups()
        self.asked[record, step] += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        await asyncio.sleep(self.delay)
        self.in_flight -= 1
        number = int(record.lstrip("r"))
        value = {"topic": f"topic {number % 7}"} if step == "analyze" else {"score": number % 11 / 10}
        message = {"role": "assistant", "content": json.dumps(value)}
        return json.dumps({
            "id": "c", "object": "chat.completion", "created": 1, "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }).encode()  # fmt: skip
