"""Inspect logs: each sample is a trace of one span, whose messages are all there was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.errors import RecordError
from scorerkit.messages.canonical import listed
from scorerkit.traces.span import BAD_RECORD, Identity, Raw, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json

STRICT = False
_SAMPLE = "sample"
_KEPT = ("id", "epoch", "scores", "metadata")


def prefix(head: Json) -> str | None:
    if not isinstance(head, dict):
        return None
    if "eval" in head and ("samples" in head or "plan" in head or "status" in head):
        return "samples.item"
    return "" if _is_sample(head) else None


def raws(value: Json) -> Iterator[Raw]:
    samples = value.get("samples") if isinstance(value, dict) and "eval" in value else [value]
    for sample in samples if isinstance(samples, list) else ():
        if not _is_sample(sample):
            raise RecordError(BAD_RECORD, "this is no sample of an Inspect log")
        own = sample.get("uuid")
        yield Raw(own if isinstance(own, str) and own else f"{sample['id']}-{sample['epoch']}", _SAMPLE, None, sample)


def identity(raw: Raw) -> Identity:  # noqa: ARG001
    return Identity()


def span(raw: Raw) -> Span:
    sample = raw.value
    messages = [_chat(message) for message in listed(sample.get("messages")) if isinstance(message, dict)]
    given = sample.get("input")
    start = _end_of_input(messages, given if isinstance(given, list) else [])
    made = Span(_SAMPLE, kind="agent", step="agent_run", input=given, output=_completion(sample))
    error = sample.get("error")
    made.error = str(error.get("message") or "") if isinstance(error, dict) else None
    made.heard, made.said = messages[:start] or None, messages[start:] or None
    return made


def more(raw: Raw) -> dict[str, Json]:
    kept = {key: raw.value[key] for key in _KEPT if raw.value.get(key) not in (None, {}, [])}
    return {"groundTruth": raw.value.get("target"), "metadata": {"sample": kept}}


def _is_sample(value: Json) -> bool:
    return isinstance(value, dict) and {"id", "epoch", "input"} <= value.keys()


def _end_of_input(messages: list[Json], given: list[Json]) -> int:
    """Where what was given ends: at the first answer beyond those that the input already held."""
    left = sum(isinstance(message, dict) and message.get("role") == "assistant" for message in given)
    for index, message in enumerate(messages):
        if message["role"] == "assistant":
            if not left:
                return index
            left -= 1
    return len(messages)


def _completion(sample: dict[str, Json]) -> Json:
    output = sample.get("output")
    if not isinstance(output, dict):
        return None
    if isinstance(output.get("completion"), str):
        return output["completion"]
    choices = output.get("choices")
    first = (
        choices[0].get("message") if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    )
    return first.get("content") if isinstance(first, dict) else None


def _chat(message: dict[str, Json]) -> dict[str, Json]:
    """A message of Inspect as one of a chat; what a tool failed with, as an Anthropic block, which can say so."""
    role, error = message.get("role"), message.get("error")
    if role == "tool" and isinstance(error, dict):
        block = {"type": "tool_result", "tool_use_id": message.get("tool_call_id"), "is_error": True}
        return {"role": "user", "content": [{**block, "content": error.get("message")}]}
    made = {key: message[key] for key in ("id", "role", "tool_call_id") if message.get(key) is not None}
    content, thoughts = message.get("content"), []
    if isinstance(content, list):
        thoughts = [part.get("reasoning") for part in content if _is_thought(part)]
        content = [part for part in content if not _is_thought(part)]
    made |= {"role": str(role), "content": content}
    if said := "\n".join(thought for thought in thoughts if isinstance(thought, str)):
        made["reasoning_content"] = said
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        made["tool_calls"] = [_call(call) for call in calls if isinstance(call, dict)]
    return made


def _is_thought(part: Json) -> bool:
    return isinstance(part, dict) and part.get("type") == "reasoning"


def _call(call: dict[str, Json]) -> dict[str, Json]:
    function = call.get("function")
    if isinstance(function, dict):
        return call
    return {"id": call.get("id"), "function": {"name": function, "arguments": call.get("arguments")}}
