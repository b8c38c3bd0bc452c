"""An OpenAI-compatible server on the loopback address that answers at once whatever fits the schema it is sent.

Run as a program it prints its address and serves until its input ends, so it never outlives who started it. Its
argument is the time that each answer takes, in milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

HEAD_END = b"\r\n\r\n"


def example(schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    """A value that fits a simple schema: the first choice, the first of several types, half a number."""
    if "$ref" in schema:
        return example(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example(schema["anyOf"][0], definitions)
    kind = schema.get("type")
    if kind == "object":
        return {name: example(inner, definitions) for name, inner in schema.get("properties", {}).items()}
    return {"number": 0.5, "integer": 1, "boolean": True, "array": []}.get(str(kind), "they mean the same")


def completion(body: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request, in the channel that it asks for: a tool, a schema, or plain text."""
    message: dict[str, Any] = {"role": "assistant", "content": "they mean the same"}
    if "GRADE" in json.dumps(body["messages"]):  # a peer's own prompt wants its verdict so
        message["content"] = "GRADE: C"
    if body.get("tools"):
        wanted = body["tools"][0]["function"]
        value = example(wanted["parameters"], wanted["parameters"].get("$defs", {}))
        call = {
            "id": "call_1",
            "type": "function",
            "function": {"name": wanted["name"], "arguments": json.dumps(value)},
        }
        message |= {"content": None, "tool_calls": [call]}
    elif schema := body.get("response_format", {}).get("json_schema", {}).get("schema"):
        message["content"] = json.dumps(example(schema, schema.get("$defs", {})))
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


class Connection(asyncio.Protocol):
    """HTTP/1.1 with keep-alive, of which it understands the length of a body and nothing else."""

    questions = 0

    def __init__(self, delay: float = 0.0) -> None:
        self._held = b""
        self._delay = delay
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        while (end := self._held.find(HEAD_END)) >= 0:
            fields = [line.partition(b":") for line in self._held[:end].split(b"\r\n")[1:]]
            length = next((int(value) for name, _, value in fields if name.lower() == b"content-length"), 0)
            start = end + len(HEAD_END)
            if len(self._held) < start + length:
                return
            asked, body = self._held[:4], self._held[start : start + length]
            self._held = self._held[start + length :]
            if asked == b"GET ":  # how many questions there were
                self._send(str(Connection.questions).encode(), at_once=True)
                continue
            Connection.questions += 1
            answer = json.dumps(completion(json.loads(body))).encode()
            self._send(answer)

    def _send(self, answer: bytes, *, at_once: bool = False) -> None:
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(answer)}\r\n\r\n"
        whole = head.encode() + answer
        if self._delay and not at_once:
            asyncio.get_running_loop().call_later(self._delay, self._transport.write, whole)
        else:
            self._transport.write(whole)


async def serve(delay: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(delay), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}/v1", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]) / 1000 if len(sys.argv) > 1 else 0.0))
