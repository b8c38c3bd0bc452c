"""What scorer files can call, as filters and as functions, and Python code as ``scorerkit.functions.NAME``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.functions.comparison import compare_trajectories
from scorerkit.functions.conduct import tool_failures, trajectory_blacklist, trajectory_efficiency
from scorerkit.functions.conversation import (
    assistant_message,
    assistant_messages,
    conversation,
    reasoning,
    system_prompt,
    user_message,
)
from scorerkit.functions.numbers import abs, clamp, max, mean, median, min, round, sum  # noqa: A004 - files' names
from scorerkit.functions.outcome import fail, not_scorable
from scorerkit.functions.segmentation import sentences, truncate_words, words
from scorerkit.functions.shares import aligned, average_precision, share
from scorerkit.functions.text import contains_any, fenced, json, regex_search, similarity
from scorerkit.functions.tools import tool_calls, tool_results
from scorerkit.functions.trajectories import trajectory

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "FILTERS",
    "abs",
    "aligned",
    "assistant_message",
    "assistant_messages",
    "average_precision",
    "clamp",
    "compare_trajectories",
    "contains_any",
    "conversation",
    "fail",
    "fenced",
    "json",
    "max",
    "mean",
    "median",
    "min",
    "not_scorable",
    "reasoning",
    "regex_search",
    "round",
    "sentences",
    "share",
    "similarity",
    "sum",
    "system_prompt",
    "tool_calls",
    "tool_failures",
    "tool_results",
    "trajectory",
    "trajectory_blacklist",
    "trajectory_efficiency",
    "truncate_words",
    "user_message",
    "words",
]

FILTERS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "aligned": aligned,
    "assistant_message": assistant_message,
    "assistant_messages": assistant_messages,
    "average_precision": average_precision,
    "clamp": clamp,
    "compare_trajectories": compare_trajectories,
    "contains_any": contains_any,
    "conversation": conversation,
    "fail": fail,
    "fenced": fenced,
    "json": json,
    "max": max,
    "mean": mean,
    "median": median,
    "min": min,
    "not_scorable": not_scorable,
    "reasoning": reasoning,
    "regex_search": regex_search,
    "round": round,
    "sentences": sentences,
    "share": share,
    "similarity": similarity,
    "sum": sum,
    "system_prompt": system_prompt,
    "tool_calls": tool_calls,
    "tool_failures": tool_failures,
    "tool_results": tool_results,
    "trajectory": trajectory,
    "trajectory_blacklist": trajectory_blacklist,
    "trajectory_efficiency": trajectory_efficiency,
    "truncate_words": truncate_words,
    "user_message": user_message,
    "words": words,
}
"""Name in templates and expressions → function; as a filter, the piped value is the first argument."""
