"""An OpenAI-compatible server on the loopback address that answers by a script and keeps what it was asked."""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BOUNDS = {"oneOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}


def say(text, *, finish="stop", refusal=None, usage=(10, 5), delay_s=0.0, **more):
    """A good answer; the text goes into whichever channel was asked for."""
    return {"text": text, "finish": finish, "refusal": refusal, "usage": usage, "delay_s": delay_s, **more}


def fail(status, message="it failed", *, headers=None, **error):
    """An error answer."""
    return {"status": status, "body": {"error": {"message": message, **error}}, "headers": headers or {}}


HANG = {"hang": True}
CUT = {"cut": True}


def strict_fault(schema, place="schema"):
    """Why a strict provider would refuse this schema, or None."""
    if not isinstance(schema, dict):
        return None
    if found := BOUNDS & set(schema):
        return f"{place} has {sorted(found)}"
    if "properties" in schema:
        if schema.get("additionalProperties") is not False:
            return f"{place} is open"
        if set(schema.get("required", [])) != set(schema["properties"]):
            return f"{place} has optional properties"
    below = [(f"{place}.items", schema.get("items"))]
    for key in ("properties", "$defs"):
        below += [(f"{place}.{key}.{name}", sub) for name, sub in schema.get(key, {}).items()]
    below += [(f"{place}.anyOf", sub) for sub in schema.get("anyOf", [])]
    return next((fault for where, sub in below if (fault := strict_fault(sub, where))), None)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reply = self.server.script(body, dict(self.headers))
        if reply.get("hang"):
            self.server.over.wait(20)
        if reply.get("hang") or reply.get("cut"):
            self.close_connection = True
            return
        time.sleep(reply.get("delay_s", 0))
        status, answer = (reply["status"], reply["body"]) if "status" in reply else (200, _completion(body, reply))
        raw = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **reply.get("headers", {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)
        self.wfile.flush()

    def log_message(self, *_):
        pass


def _completion(body, reply):
    text = reply["text"]
    message = {"role": "assistant", "content": text, "refusal": reply["refusal"]}
    if body.get("tools") and text is not None:
        name = body["tools"][0]["function"]["name"]
        call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": text}}
        message |= {"content": None, "tool_calls": [call]}
    asked, told = reply["usage"]
    usage = {"prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": reply.get("model", f"{body['model']}-0613"),
        "choices": [] if reply.get("empty") else [{"index": 0, "message": message, "finish_reason": reply["finish"]}],
        "usage": usage,
    }


class Loopback(ThreadingHTTPServer):
    """Replies in turn, the last one again and again. ``requests`` holds the bodies, ``headers`` the headers."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, *replies, strict=False):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        self.replies = list(replies)
        self.strict = strict
        self.requests, self.headers, self.times = [], [], []
        self.in_flight = self.peak = 0
        self.over, self.asked = threading.Event(), threading.Event()
        self._lock = threading.Lock()

    def script(self, body, headers):
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            self.times.append(time.monotonic())
            self.asked.set()
            reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
        if self.strict and (fault := strict_fault(schema)):
            return fail(400, fault)
        return reply

    def handle_error(self, *_):
        pass

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.shutdown()
        with suppress(OSError):
            self.server_close()
