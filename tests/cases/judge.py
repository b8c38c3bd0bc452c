"""A judge for cases: an OpenAI-compatible server on the loopback address that answers by rules and counts."""

import email.utils
import json
import re
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}


def text_of(message):
    """The text of one chat message, with the arguments of its tool calls."""
    content = message.get("content") or ""
    parts = [str(part.get("text", "")) for part in content] if isinstance(content, list) else [content]
    return "\n".join([*parts, *(call["function"]["arguments"] for call in message.get("tool_calls") or [])])


@dataclass
class Asked:
    """One request as it arrived."""

    body: dict

    def text(self, role=None):
        """All messages, or those of one role."""
        return "\n".join(text_of(each) for each in self.body.get("messages", []) if role in (None, each.get("role")))

    def schemas(self):
        """The schemas that were sent for the answer."""
        native = (self.body.get("response_format") or {}).get("json_schema", {}).get("schema")
        tools = [tool["function"].get("parameters") for tool in self.body.get("tools") or []]
        return [schema for schema in [native, *tools] if schema is not None]

    def tool(self):
        """The name of the tool in which the answer is wanted, if any."""
        tools = self.body.get("tools")
        return tools[0]["function"]["name"] if tools and self.body.get("tool_choice") != "none" else None


def strict_fault(schema):
    """What a provider with a strict mode would refuse, anywhere in a schema."""
    if isinstance(schema, list):
        return next(filter(None, map(strict_fault, schema)), None)
    if not isinstance(schema, dict):
        return None
    if not isinstance(schema.get("properties"), dict):
        own = ({"oneOf"} | BOUNDS) & set(schema)
        return f"{sorted(own)}" if own else strict_fault(list(schema.values()))
    if schema.get("additionalProperties") is not False:
        return "additionalProperties"
    if set(schema["properties"]) != set(schema.get("required", ())):
        return "required"
    rest = [value for key, value in schema.items() if key != "properties"]
    return strict_fault([*schema["properties"].values(), *rest])


class CaseJudge(ThreadingHTTPServer):
    """Answers by the rules of a case; ``requests`` keeps what was asked, ``faults`` what no judge should get."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, rules):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        self.rules = rules
        self.requests, self.faults, self.answered, self.peak = [], [], 0, 0
        self._turns, self._in_flight, self._lock, self._over = Counter(), 0, threading.Lock(), threading.Event()
        self._connections = set()

    def __enter__(self):
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self.shutdown()
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()
        self._thread.join()

    def process_request(self, request, client_address):
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request, client_address):
        """The client went away: that is what some cases are about."""

    def answer(self, path, raw, gone):
        """(status, headers, body), or None to hang up."""
        asked = Asked(json.loads(raw))
        with self._lock:
            self.requests.append(asked)
            self._in_flight += 1
            self.peak = max(self.peak, self._in_flight)
        try:
            return self._by_rule(path, asked, gone)
        finally:
            with self._lock:
                self._in_flight -= 1
                self.answered += 1

    def _by_rule(self, path, asked, gone):
        text = asked.text()
        index = next((i for i, rule in enumerate(self.rules) if rule.get("if", "") in text), None)
        if index is None or not path.endswith("/chat/completions"):
            self.faults.append(f"no rule for {path}: {text[-200:]!r}")
            return failure(400, "no rule")
        rule = self.rules[index]
        if rule.get("strictSchema") and (fault := strict_fault(asked.schemas())):
            return failure(400, f"Invalid schema: {fault}")
        with self._lock:
            reply = rule["replies"][min(self._turns[index], len(rule["replies"]) - 1)]
            self._turns[index] += 1
        if not self._wait((reply.get("delayMs", 0) + reply.get("hangMs", 0)) / 1000, gone):
            return None
        return rendered(asked, reply)

    def _wait(self, seconds, gone):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._over.wait(min(left, 0.02)) or gone():
                return False
        return True


def failure(status, message, headers=None):
    body = {"error": {"message": message, "type": "api_error", "param": None, "code": str(status)}}
    return status, headers or {}, json.dumps(body).encode()


def rendered(asked, reply):
    """A reply of a rule as HTTP."""
    status = reply.get("status", 200)
    headers = {name: dated(value) for name, value in reply.get("headers", {}).items()}
    if "hangMs" in reply and not {"content", "contentFrom", "status"} & set(reply):
        return None
    if "body" in reply:
        body = reply["body"]
        return status, headers, (body if isinstance(body, str) else json.dumps(body)).encode()
    if status != 200:
        return failure(status, f"the judge of the case answers {status}", headers)
    return 200, headers, json.dumps(completion(asked, reply)).encode()


def completion(asked, reply):
    text = eval(reply["contentFrom"], {"json": json}) if "contentFrom" in reply else reply.get("content", "")
    message = {"role": "assistant", "content": text, "refusal": reply.get("refusal")}
    if text is not None and (name := asked.tool()):
        call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": text}}
        message |= {"content": None, "tool_calls": [call]}
    told, said = 1 + len(asked.text()) // 4, 1 + len(text or "") // 4
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": asked.body.get("model", "judge"),
        "choices": [{"index": 0, "message": message, "finish_reason": reply.get("finishReason", "stop")}],
        "usage": {"prompt_tokens": told, "completion_tokens": said, "total_tokens": told + said},
    }


def dated(value):
    """``{{HTTP-DATE now+3s}}`` filled in."""
    return re.sub(
        r"\{\{HTTP-DATE now\+(\d+)s\}\}",
        lambda found: email.utils.formatdate(time.time() + int(found[1]), usegmt=True),
        value,
    )


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def handle(self):
        with suppress(OSError, ValueError):
            super().handle()

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        answer = self.server.answer(self.path, raw, self._gone)
        if answer is None:
            self.close_connection = True
            return
        status, headers, body = answer
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def _gone(self):
        try:
            return not self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False

    def log_message(self, *_):
        pass
