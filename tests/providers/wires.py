"""Loopback servers that speak the wire formats of providers, each with what its real SDK expects to get."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Say(NamedTuple):
    """A good answer; the text goes into whichever channel was asked for. ``end`` is stop, length or refusal."""

    text: str | None
    end: str = "stop"


class Fail(NamedTuple):
    """An error answer; ``kind`` is the provider's own word for it, ``more`` stands beside the message."""

    status: int
    message: str = "it failed"
    headers: dict = {}  # noqa: RUF012 - read only
    kind: str = "api_error"
    more: dict = {}  # noqa: RUF012 - read only


CUT = "the connection ends without an answer"


class Asked(NamedTuple):
    """One request as it arrived."""

    path: str
    body: dict
    headers: dict


class Anthropic:
    name, model, variable, extra, module = (
        "anthropic",
        "claude-sonnet-4-5",
        "ANTHROPIC_API_KEY",
        "anthropic",
        "anthropic",
    )
    key_header = "x-api-key"
    extra_setting = {"metadata": {"user_id": "u1"}}  # noqa: RUF012
    ends = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}  # noqa: RUF012

    def answer(self, body, said):
        content = [{"type": "text", "text": said.text}] if said.text else []
        end = self.ends[said.end]
        if body.get("tools") and said.text and said.end != "refusal":
            use = {"type": "tool_use", "id": "toolu_1", "name": body["tools"][0]["name"], "input": loose(said.text)}
            content, end = [use], "tool_use" if said.end == "stop" else end
        usage = {"input_tokens": 10, "output_tokens": 5}
        head = {"id": "msg_1", "type": "message", "role": "assistant", "model": f"{body['model']}-20250929"}
        return {**head, "content": content, "stop_reason": end, "stop_sequence": None, "usage": usage}

    def failure(self, failed):
        error = {"type": failed.kind, "message": failed.message, **failed.more}
        return {"type": "error", "error": error, "request_id": "req_1"}

    def schema(self, body):
        return body["tools"][0]["input_schema"] if body.get("tools") else None

    def texts(self, body):
        system = "\n".join(block["text"] for block in body.get("system", []))
        return system, [(m["role"], m["content"]) for m in body["messages"]]

    def settings(self, asked):
        return asked.body.get("temperature"), asked.body.get("max_tokens"), asked.body.get("metadata")


class Google:
    name, model, variable, extra, module = "google", "gemini-2.5-flash", "GOOGLE_API_KEY", "google", "google.genai"
    key_header = "x-goog-api-key"
    extra_setting = {"top_k": 7}  # noqa: RUF012
    ends = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}  # noqa: RUF012

    def answer(self, body, said):
        if said.text is None:
            return {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 10}}
        part = {"text": said.text}
        if body.get("tools"):
            name = body["tools"][0]["functionDeclarations"][0]["name"]
            part = {"functionCall": {"name": name, "args": loose(said.text)}}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": self.ends[said.end], "index": 0}
        if said.end == "refusal":
            del candidate["content"]
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-2.5-flash-001"}

    def failure(self, failed):
        return {"error": {"code": failed.status, "message": failed.message, "status": failed.kind, **failed.more}}

    def schema(self, body):
        if not body.get("tools"):
            return None
        declared = body["tools"][0]["functionDeclarations"][0]
        return declared.get("parametersJsonSchema") or declared["parameters_json_schema"]  # Google takes either name

    def texts(self, body):
        system = "\n".join(part["text"] for part in body.get("systemInstruction", {}).get("parts", []))
        roles = {"user": "user", "model": "assistant"}
        return system, [(roles[c["role"]], "".join(p["text"] for p in c["parts"])) for c in body["contents"]]

    def settings(self, asked):
        config = asked.body.get("generationConfig", {})
        return config.get("temperature"), config.get("maxOutputTokens"), config.get("topK")


class Mistral:
    name, model, variable, extra, module = "mistral", "mistral-small-latest", "MISTRAL_API_KEY", "mistral", "mistralai"
    key_header = "authorization"
    extra_setting = {"safe_prompt": True}  # noqa: RUF012
    ends = {"stop": "stop", "length": "length"}  # noqa: RUF012

    def answer(self, body, said):
        message = {"role": "assistant", "content": said.text, "tool_calls": None}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        choice = {"index": 0, "message": message, "finish_reason": self.ends[said.end]}
        head = {"id": "c1", "object": "chat.completion", "created": 1, "model": f"{body['model']}-2506"}
        return {**head, "choices": [choice], "usage": usage}

    def failure(self, failed):
        return {"object": "error", "message": failed.message, "type": failed.kind, "code": "1", **failed.more}

    def schema(self, body):
        wanted = body.get("response_format") or {}
        return wanted["json_schema"]["schema"] if wanted.get("type") == "json_schema" else None

    def texts(self, body):
        said = [(m["role"], m["content"]) for m in body["messages"]]
        return "\n".join(text for role, text in said if role == "system"), [m for m in said if m[0] != "system"]

    def settings(self, asked):
        return asked.body.get("temperature"), asked.body.get("max_tokens"), asked.body.get("safe_prompt")


class Bedrock:
    name, model, variable, extra, module = (
        "bedrock",
        "anthropic.claude-3-5-sonnet-20241022-v2:0",
        "AWS_ACCESS_KEY_ID",
        "bedrock",
        "boto3",
    )
    key_header = "authorization"
    extra_setting = {"top_k": 7}  # noqa: RUF012
    ends = {"stop": "end_turn", "length": "max_tokens", "refusal": "content_filtered"}  # noqa: RUF012

    def answer(self, body, said):
        content, end = [{"text": said.text or ""}], self.ends[said.end]
        if body.get("toolConfig") and said.text and said.end != "refusal":
            name = body["toolConfig"]["tools"][0]["toolSpec"]["name"]
            content = [{"toolUse": {"toolUseId": "t1", "name": name, "input": loose(said.text)}}]
            end = "tool_use" if said.end == "stop" else end
        usage = {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}
        message = {"role": "assistant", "content": content}
        return {"output": {"message": message}, "stopReason": end, "usage": usage, "metrics": {"latencyMs": 1}}

    def failure(self, failed):
        return {"message": failed.message, **failed.more}

    def schema(self, body):
        return body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"] if body.get("toolConfig") else None

    def texts(self, body):
        system = "\n".join(block["text"] for block in body.get("system", []))
        return system, [(m["role"], "".join(block["text"] for block in m["content"])) for m in body["messages"]]

    def settings(self, asked):
        config, more = asked.body.get("inferenceConfig", {}), asked.body.get("additionalModelRequestFields", {})
        return config.get("temperature"), config.get("maxTokens"), more.get("top_k")


class OpenAI:
    name, model, variable, extra, module = "openai", "gpt-4o-mini", "OPENAI_API_KEY", None, "openai"
    extra_setting = {"min_p": 0.1}  # noqa: RUF012
    key_header = "authorization"
    ends = {"stop": "stop", "length": "length", "refusal": "content_filter"}  # noqa: RUF012

    def answer(self, body, said):
        message = {"role": "assistant", "content": said.text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": self.ends[said.end]}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        head = {"id": "c1", "object": "chat.completion", "created": 1, "model": f"{body['model']}-0613"}
        return {**head, "choices": [choice], "usage": usage}

    def failure(self, failed):
        return {"error": {"message": failed.message, "code": failed.kind, **failed.more}}

    def schema(self, body):
        return body["response_format"]["json_schema"]["schema"] if body.get("response_format") else None

    def texts(self, body):
        said = [(m["role"], m["content"]) for m in body["messages"]]
        return "\n".join(text for role, text in said if role == "system"), [m for m in said if m[0] != "system"]

    def settings(self, asked):
        return asked.body.get("temperature"), asked.body.get("max_tokens"), asked.body.get("min_p")


class Azure(OpenAI):
    name, variable, key_header = "azure_openai", "AZURE_OPENAI_API_KEY", "api-key"


WIRES = {wire.name: wire for wire in (Anthropic(), Google(), Mistral(), Bedrock(), OpenAI(), Azure())}


def loose(text):
    """Arguments of a tool as a value: these wires carry no text there, so what is no JSON becomes a wrong value."""
    try:
        value = json.loads(text)
    except ValueError:
        return {"said": text}
    return value if isinstance(value, dict) else {"said": value}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.reply_to(Asked(self.path, body, headers))
        if reply is CUT:
            self.close_connection = True
            return
        failed, more = isinstance(reply, Fail), {}
        answer = self.server.wire.failure(reply) if failed else self.server.wire.answer(body, reply)
        if failed:
            more = {"x-amzn-errortype": reply.kind, **reply.headers}
        raw = json.dumps(answer).encode()
        self.send_response(reply.status if failed else 200)
        for name, value in {"content-type": "application/json", "content-length": str(len(raw)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)
        self.wfile.flush()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    """Replies in turn, the last one again and again; ``asked`` holds what arrived."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, wire, *replies):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.wire, self.replies, self.asked = wire, replies, []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self._lock = threading.Lock()

    def reply_to(self, asked):
        with self._lock:
            self.asked.append(asked)
            return self.replies[min(len(self.asked), len(self.replies)) - 1]

    def handle_error(self, *_):
        pass

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        with suppress(OSError):
            self.server_close()
