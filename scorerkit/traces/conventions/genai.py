"""OpenTelemetry GenAI attributes: current ones, the older events, and what was common before both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from scorerkit.traces.conventions.genai_events import told_by_events
from scorerkit.traces.conversation import messages_of
from scorerkit.traces.values import branch, number, parsed, text

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.traces.span import Kind, Span

_KINDS: dict[str, tuple[Kind, str]] = {
    "invoke_agent": ("agent", "agent_run"),
    "execute_tool": ("tool", "tool_call"),
    "chat": ("llm", "model_generation"),
    "call_llm": ("llm", "model_generation"),
    "text_completion": ("llm", "model_generation"),
    "completion": ("llm", "model_generation"),
    "generate_content": ("llm", "model_generation"),
    "invoke_workflow": ("other", "workflow_run"),
}
"""``gen_ai.operation.name`` → what the span is."""

_HEARD = ("gen_ai.input.messages", "gen_ai.prompt", "pydantic_ai.all_messages", "all_messages_events")
_SAID = ("gen_ai.output.messages", "gen_ai.completion")
_INPUT = ("input.value", "input", "langfuse.observation.input")
_OUTPUT = ("output.value", "output", "langfuse.observation.output", "final_result")
_ARGS = ("gen_ai.tool.call.arguments", "gen_ai.tool.args", "tool_arguments", "gen_ai.tool.input", *_INPUT)
_RESULT = ("gen_ai.tool.call.result", "gen_ai.output", "tool_response", "gen_ai.tool.output", *_OUTPUT)


def recognises(attributes: dict[str, Json]) -> bool:  # noqa: ARG001 - it takes what nobody else takes
    return True


def fill(span: Span, attributes: dict[str, Json], events: list[dict[str, Json]]) -> None:
    span.kind, span.step = _kind(attributes)
    if span.kind == "tool":
        _tool(span, attributes)
        return
    span.input, span.output = _first(attributes, _INPUT), _first(attributes, _OUTPUT)
    if events:
        span.heard, span.said = told_by_events(events)
    span.heard = _messages(attributes, _HEARD) or span.heard or messages_of(span.input)
    span.said = _messages(attributes, _SAID) or span.said or messages_of(span.output) or _made(attributes)
    told = attributes.get("gen_ai.system_instructions")
    if told is not None:
        span.instructions = _instructions(parsed(told))
    if span.kind == "agent":
        span.name = text(attributes.get("gen_ai.agent.name")) or span.name
        span.entity = text(attributes.get("gen_ai.agent.id"))
    elif span.kind == "llm":
        _generation(span, attributes)


def _kind(attributes: dict[str, Json]) -> tuple[Kind, str]:
    operation = attributes.get("gen_ai.operation.name")
    if operation == "execute_tool" or "gen_ai.tool.name" in attributes or "gen_ai.tool.call.id" in attributes:
        return "tool", "mcp_tool_call" if _server(attributes) else "tool_call"
    if isinstance(operation, str) and operation in _KINDS:
        return _KINDS[operation]
    if operation is None and "gen_ai.request.model" in attributes and _speaks(attributes):
        return "llm", "model_generation"
    return ("agent", "agent_run") if operation is None and "gen_ai.agent.name" in attributes else ("other", "generic")


def _speaks(attributes: dict[str, Json]) -> bool:
    marks = ("gen_ai.usage.", "gen_ai.completion", "gen_ai.output", "gen_ai.response.")
    return any(key.startswith(marks) for key in attributes)


def _server(attributes: dict[str, Json]) -> str | None:
    if attributes.get("mcp.method.name") is None and attributes.get("gen_ai.tool.type") != "mcp":
        return None
    return text(attributes.get("mcp.server.name")) or text(attributes.get("server.address")) or "mcp"


def _tool(span: Span, attributes: dict[str, Json]) -> None:
    span.name = text(attributes.get("gen_ai.tool.name")) or span.name
    identity = attributes.get("gen_ai.tool.call.id")
    span.call_id = identity if isinstance(identity, str) else orjson.dumps(identity).decode() if identity else ""
    span.input, span.output = _first(attributes, _ARGS), _first(attributes, _RESULT)
    if server := _server(attributes):
        span.attributes = {"mcpServer": server}


def _generation(span: Span, attributes: dict[str, Json]) -> None:
    model = attributes.get("gen_ai.response.model") or attributes.get("gen_ai.request.model")
    span.name = text(model) or span.name
    usage = {
        "inputTokens": _count(attributes, "input", "prompt"),
        "outputTokens": _count(attributes, "output", "completion"),
    }
    usage = {key: count for key, count in usage.items() if count is not None}
    reasons = parsed(attributes.get("gen_ai.response.finish_reasons"))
    span.attributes = {"model": model, "usage": usage}
    if isinstance(reasons, list) and reasons:
        span.attributes["finishReason"] = reasons[0]


def _messages(attributes: dict[str, Json], keys: tuple[str, ...]) -> list[Json] | None:
    """The messages under the first key that has any; those spread over numbered keys may leave out what is usual."""
    for key in keys:
        whole = attributes.get(key)
        found = parsed(whole) if whole is not None else branch(attributes, key)
        if found is None:
            continue
        if whole is not None and (messages := messages_of(found)):
            return messages
        if isinstance(found, list) and any(isinstance(item, dict) and "role" in item for item in found):
            found = [_spread(item) for item in found if isinstance(item, dict)]
        messages = messages_of(found)
        if messages:
            return messages
    return None


def _spread(message: dict[str, Json]) -> dict[str, Json]:
    """A message whose calls have ``name`` and ``arguments`` beside their id, as a chat message."""
    calls = message.get("tool_calls")
    made = {**message, "content": message.get("content")} if "parts" not in message else message
    if not isinstance(calls, list):
        return made
    given = [call for call in calls if isinstance(call, dict)]
    whole = [call if "function" in call else {"id": call.get("id"), "function": call} for call in given]
    return {**made, "tool_calls": whole}


def _count(attributes: dict[str, Json], *sides: str) -> float | None:
    """Tokens of one side under the present name, or under the one before it."""
    counts = (number(attributes.get(f"gen_ai.usage.{side}_tokens")) for side in sides)
    return next((count for count in counts if count is not None), None)


def _made(attributes: dict[str, Json]) -> list[Json] | None:
    """What a model made, in one attribute: text, or calls as ``{tool.name, tool.args}``."""
    said = attributes.get("gen_ai.output")
    if said is None:
        return None
    calls = parsed(said)
    if isinstance(calls, list) and calls and all(isinstance(call, dict) and "tool.name" in call for call in calls):
        functions = [{"function": {"name": call["tool.name"], "arguments": call.get("tool.args")}} for call in calls]
        return [{"role": "assistant", "content": None, "tool_calls": functions}]
    return [{"role": "assistant", "content": said}] if isinstance(said, str) and said else None


def _instructions(value: Json) -> str:
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else []
    texts = [part.get("content", part.get("text")) for part in parts if isinstance(part, dict)]
    return "\n".join(said for said in texts if isinstance(said, str))


def _first(attributes: dict[str, Json], keys: tuple[str, ...]) -> Json:
    for key in keys:
        value = attributes.get(key)
        if value is not None:
            return parsed(value)
    return None
