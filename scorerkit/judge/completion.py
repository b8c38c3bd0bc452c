"""A provider's raw completion → our reply, by the shape of the object and without its library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.judge.layers import get
from scorerkit.judge.transport import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping


_DETAILS = {"reasoningTokens", "cachedInputTokens"}


def reply_of(completion: Any) -> Reply:
    """The text, or the arguments of the one tool call, with how it ended and what it used."""
    if get(completion, "choices") is not None:
        return _openai(completion)
    if get(completion, "candidates") is not None:
        return _google(completion)
    return _anthropic(completion)


def _openai(completion: Any) -> Reply:
    choices = completion.choices
    message = choices[0].message if choices else None
    calls = get(message, "tool_calls") or ()
    arguments = [call.function.arguments for call in calls if get(call, "function") is not None]
    text = "\n".join(arguments) if arguments else get(message, "content")
    return Reply(
        whole(text if isinstance(text, str) else ""),
        choices[0].finish_reason if choices else None,
        get(message, "refusal"),
        _openai_usage(get(completion, "usage")),
        get(completion, "model"),
        _cost(get(completion, "usage")),
    )


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
    import json

    blocks = get(completion, "content") or ()
    used = [json.dumps(block.input, ensure_ascii=False) for block in blocks if get(block, "type") == "tool_use"]
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
    import json

    candidates = completion.candidates
    content = get(candidates[0], "content") if candidates else None
    parts = get(content, "parts") or ()
    calls = [call for part in parts if (call := get(part, "function_call")) is not None]
    said = [part.text for part in parts if get(part, "text") and not get(part, "thought")]
    reason = get(candidates[0], "finish_reason") if candidates else "SAFETY"
    usage = get(completion, "usage_metadata")
    return Reply(
        whole("\n".join([json.dumps(call.args, ensure_ascii=False) for call in calls] or said)),
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
