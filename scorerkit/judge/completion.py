"""A provider's raw completion → our reply, by the shape of the object and without its library."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scorerkit.judge.layers import get
from scorerkit.judge.transport import Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


_DETAILS = {"reasoningTokens", "cachedInputTokens"}


def reply_of(completion: Any) -> Reply:
    """The text, or the arguments of the one tool call, with how it ended and what it used."""
    return next((read for mark, read in _SHAPES if _has(completion, mark)), _anthropic)(completion)


def _has(completion: Any, mark: str) -> bool:
    return mark in completion if isinstance(completion, dict) else hasattr(completion, mark)


def _openai(completion: Any) -> Reply:
    choices = completion.choices
    message = choices[0].message if choices else None
    calls = get(message, "tool_calls") or ()
    arguments = [_written(call.function.arguments) for call in calls if get(call, "function") is not None]
    return Reply(
        whole("\n".join(arguments) if arguments else _said(get(message, "content"))),
        choices[0].finish_reason if choices else None,
        get(message, "refusal"),
        _openai_usage(get(completion, "usage")),
        get(completion, "model"),
        _cost(get(completion, "usage")),
    )


def _said(content: Any) -> str:
    """Text, or that of the text parts: reasoning models of Mistral answer in parts."""
    if isinstance(content, list):
        return "".join(text for part in content if isinstance(text := get(part, "text"), str))
    return content if isinstance(content, str) else ""


def _written(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _openai_usage(usage: Any) -> dict[str, int]:
    asked, told = get(usage, "prompt_tokens_details"), get(usage, "completion_tokens_details")
    return _known(
        inputTokens=get(usage, "prompt_tokens"),
        outputTokens=get(usage, "completion_tokens"),
        totalTokens=get(usage, "total_tokens"),
        reasoningTokens=get(told, "reasoning_tokens"),
        cachedInputTokens=get(asked, "cached_tokens"),
    )


def _anthropic(completion: Any) -> Reply:
    blocks = get(completion, "content") or ()
    used = [_written(block.input) for block in blocks if get(block, "type") == "tool_use"]
    said = [block.text for block in blocks if get(block, "type") == "text"]
    reason = get(completion, "stop_reason")
    usage = get(completion, "usage")
    text = whole("\n".join(used or said))
    return Reply(
        text,
        reason,
        (text or "the model declined") if reason == "refusal" else None,
        _known(
            inputTokens=get(usage, "input_tokens"),
            outputTokens=get(usage, "output_tokens"),
            cachedInputTokens=get(usage, "cache_read_input_tokens"),
        ),
        get(completion, "model"),
    )


def _google(completion: Any) -> Reply:
    candidates = completion.candidates
    content = get(candidates[0], "content") if candidates else None
    parts = get(content, "parts") or ()
    calls = [call for part in parts if (call := get(part, "function_call")) is not None]
    said = [part.text for part in parts if get(part, "text") and not get(part, "thought")]
    reason = get(candidates[0], "finish_reason") if candidates else "SAFETY"
    usage = get(completion, "usage_metadata")
    return Reply(
        whole("\n".join([_written(call.args) for call in calls] or said)),
        str(get(reason, "name") or reason) if reason else None,
        None,
        _known(
            inputTokens=get(usage, "prompt_token_count"),
            outputTokens=get(usage, "candidates_token_count"),
            totalTokens=get(usage, "total_token_count"),
            reasoningTokens=get(usage, "thoughts_token_count"),
            cachedInputTokens=get(usage, "cached_content_token_count"),
        ),
        get(completion, "model_version"),
    )


def _bedrock(completion: Any) -> Reply:
    """The Converse API, as boto3 gives it."""
    blocks = completion["output"]["message"].get("content") or ()
    used = [_written(block["toolUse"].get("input")) for block in blocks if "toolUse" in block]
    said = [block["text"] for block in blocks if "text" in block]
    usage = completion.get("usage")
    return Reply(
        whole("\n".join(used or said)),
        completion.get("stopReason"),
        None,
        _known(
            inputTokens=get(usage, "inputTokens"),
            outputTokens=get(usage, "outputTokens"),
            totalTokens=get(usage, "totalTokens"),
            cachedInputTokens=get(usage, "cacheReadInputTokens"),
        ),
    )


def whole(text: str) -> str:
    """The text with halves of characters (lone surrogates) replaced: they can be neither stored nor sent back."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _known(**counts: Any) -> dict[str, int]:
    """Counts that were given; details of 0 are left out, since instructor fills in zeros for what nobody said."""
    usage = {
        name: count
        for name, count in counts.items()
        if isinstance(count, int) and not isinstance(count, bool) and (count or name not in _DETAILS)
    }
    if "totalTokens" not in usage and {"inputTokens", "outputTokens"} <= set(usage):
        usage["totalTokens"] = usage["inputTokens"] + usage["outputTokens"]
    return usage


def _cost(usage: Mapping[str, Any] | Any) -> float | None:
    """USD, where the provider states them (OpenRouter's ``usage.cost``)."""
    cost = get(usage, "cost")
    return float(cost) if isinstance(cost, (int, float)) and not isinstance(cost, bool) else None


_SHAPES: tuple[tuple[str, Callable[[Any], Reply]], ...] = (
    ("choices", _openai),
    ("candidates", _google),
    ("stopReason", _bedrock),
)
"""What only such a completion has; Anthropic's has none of them."""
