"""What scorer files can call, as filters and as functions, and Python code as ``scorerkit.functions.NAME``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.functions.assessment import trajectory_accuracy, trajectory_assessment
from scorerkit.functions.calls import is_subsequence, tool_call_accuracy, tool_errors
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
from scorerkit.functions.coverage import completeness, keyword_coverage
from scorerkit.functions.criteria import checklist, criteria_met
from scorerkit.functions.differences import textual_difference
from scorerkit.functions.formats import json_check
from scorerkit.functions.languages import language, segments
from scorerkit.functions.numbers import abs, clamp, max, mean, median, min, round, sum  # noqa: A004 - files' names
from scorerkit.functions.outcome import fail, not_scorable
from scorerkit.functions.overlap import bleu, levenshtein, rouge_l, token_f1
from scorerkit.functions.patterns import regex_search
from scorerkit.functions.segmentation import sentences, truncate_words, words
from scorerkit.functions.shares import aligned, average_precision, matched, share
from scorerkit.functions.text import contains_any, fenced, json, similarity
from scorerkit.functions.texts import folded, message_texts, steps_text
from scorerkit.functions.tone import tone
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
    "bleu",
    "checklist",
    "clamp",
    "compare_trajectories",
    "completeness",
    "contains_any",
    "conversation",
    "criteria_met",
    "fail",
    "fenced",
    "folded",
    "is_subsequence",
    "json",
    "json_check",
    "keyword_coverage",
    "language",
    "levenshtein",
    "matched",
    "max",
    "mean",
    "median",
    "message_texts",
    "min",
    "not_scorable",
    "reasoning",
    "regex_search",
    "rouge_l",
    "round",
    "segments",
    "sentences",
    "share",
    "similarity",
    "steps_text",
    "sum",
    "system_prompt",
    "textual_difference",
    "token_f1",
    "tone",
    "tool_call_accuracy",
    "tool_calls",
    "tool_errors",
    "tool_failures",
    "tool_results",
    "trajectory",
    "trajectory_accuracy",
    "trajectory_assessment",
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
    "bleu": bleu,
    "checklist": checklist,
    "clamp": clamp,
    "compare_trajectories": compare_trajectories,
    "completeness": completeness,
    "contains_any": contains_any,
    "conversation": conversation,
    "criteria_met": criteria_met,
    "fail": fail,
    "fenced": fenced,
    "folded": folded,
    "is_subsequence": is_subsequence,
    "json": json,
    "json_check": json_check,
    "keyword_coverage": keyword_coverage,
    "language": language,
    "levenshtein": levenshtein,
    "matched": matched,
    "max": max,
    "mean": mean,
    "median": median,
    "message_texts": message_texts,
    "min": min,
    "not_scorable": not_scorable,
    "reasoning": reasoning,
    "regex_search": regex_search,
    "rouge_l": rouge_l,
    "round": round,
    "segments": segments,
    "sentences": sentences,
    "share": share,
    "similarity": similarity,
    "steps_text": steps_text,
    "sum": sum,
    "system_prompt": system_prompt,
    "textual_difference": textual_difference,
    "token_f1": token_f1,
    "tone": tone,
    "tool_call_accuracy": tool_call_accuracy,
    "tool_calls": tool_calls,
    "tool_errors": tool_errors,
    "tool_failures": tool_failures,
    "tool_results": tool_results,
    "trajectory": trajectory,
    "trajectory_accuracy": trajectory_accuracy,
    "trajectory_assessment": trajectory_assessment,
    "trajectory_blacklist": trajectory_blacklist,
    "trajectory_efficiency": trajectory_efficiency,
    "truncate_words": truncate_words,
    "user_message": user_message,
    "words": words,
}
"""Name in templates and expressions → function; as a filter, the piped value is the first argument."""
