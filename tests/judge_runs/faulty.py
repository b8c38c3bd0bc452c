"""An OpenAI-compatible server whose faults are decided by the record that a prompt names (``rec=7``).

A program of its own, so that it takes no time from what is measured: prints its address, serves until its input ends,
and gives its counts at ``/stats``. Options: ``{"faults": {"429": 0.1}, "clears": true, "headers": {}, "limit": 8,
"latency_ms": 20}``; of every 1000 records, ``faults`` gives the share that meet each fault, at their first request or
(``clears: false``) at every one. More than ``limit`` requests at a time are refused with 429. ``echo``: answers in
plain text and errors repeat the headers of the request, as careless providers do.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys

RECORD = re.compile(rb"rec=(\d+)")
FIRST_LINE = re.compile(rb"^.*\r\n")
HEAD_END = b"\r\n\r\n"
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


class State:
    """What is wanted, and what has happened so far."""

    def __init__(self, options):
        self.faults = options.get("faults", {})
        self.clears = options.get("clears", True)
        self.headers = options.get("headers", {"retry-after": "0"})
        self.limit = options.get("limit", 10**9)
        self.latency = options.get("latency_ms", 0) / 1000
        self.echo = options.get("echo", False)
        self.under_way = 0
        self.seen, self.counts = {}, {}

    def fault(self, record):
        """The fault that a record meets now; the shares are laid side by side over a shuffled scale of 1000."""
        self.seen[record] = self.seen.get(record, 0) + 1
        if self.under_way > self.limit:
            return "429"
        place = (record * 617) % 1000 / 1000
        for kind, share in self.faults.items():
            if place < share:
                return kind if not self.clears or self.seen[record] == 1 else "ok"
            place -= share
        return "ok"


def completion(body, fault, echoed):
    native = body.get("tools") or body.get("response_format")
    text = json.dumps({"score": 0.5}) if native or not echoed else f"I was asked with {echoed}"
    text = text[:6] if fault == "malformed" else text
    message = {"role": "assistant", "content": text}
    if tools := body.get("tools"):
        call = {"name": tools[0]["function"]["name"], "arguments": text}
        message |= {"content": None, "tool_calls": [{"id": "c1", "type": "function", "function": call}]}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    head = {"id": "c1", "object": "chat.completion", "created": 1, "model": body["model"]}
    return {**head, "choices": [choice], "usage": USAGE}


class Connection(asyncio.Protocol):
    def __init__(self, state):
        self.state, self.held, self.head, self.transport, self.tasks = state, b"", b"", None, set()

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.held += data
        while (end := self.held.find(HEAD_END)) >= 0:
            self.head = self.held[:end]
            head = self.head.lower()
            found = re.search(rb"content-length: *(\d+)", head)
            stop = end + 4 + (int(found[1]) if found else 0)
            if len(self.held) < stop:
                return
            body, self.held = self.held[end + 4 : stop], self.held[stop:]
            task = asyncio.create_task(self.answer(head, body))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def answer(self, head, body):
        state = self.state
        if b"/stats" in head.split(b"\r\n", 1)[0]:
            told = {"counts": state.counts, "requests": sum(state.counts.values()), "records": len(state.seen)}
            return self.send(200, {**told, "most": max(state.seen.values(), default=0)}, {})
        state.under_way += 1
        fault = state.fault(int(RECORD.search(body)[1]))
        state.counts[fault] = state.counts.get(fault, 0) + 1
        if state.latency and fault in {"ok", "malformed"}:
            await asyncio.sleep(state.latency)
        state.under_way -= 1
        echoed = FIRST_LINE.sub(b"", self.head).decode() if state.echo else ""
        if fault in {"ok", "malformed"}:
            return self.send(200, completion(json.loads(body), fault, echoed), {})
        return self.send(int(fault), {"error": {"message": f"fault {fault} {echoed}"}}, state.headers)

    def send(self, status, value, headers):
        raw = json.dumps(value).encode()
        told = {"content-type": "application/json", "content-length": len(raw), **headers}
        lines = "".join(f"{name}: {each}\r\n" for name, each in told.items())
        self.transport.write(f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + raw)


async def serve(options):
    loop, state = asyncio.get_running_loop(), State(options)
    server = await loop.create_server(lambda: Connection(state), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve(json.loads(sys.argv[1])))
