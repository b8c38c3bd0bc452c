"""The texts of messages, whoever speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.functions.arguments import as_text
from scorerkit.functions.conversation import text_of
from scorerkit.functions.text import json
from scorerkit.functions.trajectories import trajectory

if TYPE_CHECKING:
    from scorerkit.model.json import Json


def message_texts(value: Json) -> list[str]:
    """The texts of the messages of a list, or of an agent input's ``inputMessages``; ``''`` for those without."""
    messages = value.get("inputMessages") if isinstance(value, dict) else value
    return [text_of(message) for message in messages] if isinstance(messages, list) else []


def folded(text: str, ignore_case: bool = True, ignore_whitespace: bool = False) -> str:
    """The text as it is compared: in small letters unless case counts, on demand with single spaces and none around.

    Raises:
        ValueError: it is not text.
    """
    kept = as_text("folded", text)
    kept = " ".join(kept.split()) if ignore_whitespace else kept
    return kept.lower() if ignore_case else kept


def steps_text(value: Json) -> str:
    """A trajectory as numbered lines: name and type of each step, with its arguments, result and failure as JSON.

    Steps inside a step are indented below it. Takes what ``trajectory`` takes.
    """
    return "\n".join(_lines(trajectory(value)["steps"], ""))


def _lines(steps: list[Json], indent: str) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(steps, 1):
        shown = {key: step[key] for key in ("toolArgs", "toolResult", "output", "success") if step.get(key) is not None}
        kind = f" ({step['stepType']})" if step.get("stepType") else ""
        lines.append(f"{indent}{number}. {step.get('name', '?')}{kind}{' ' + json(shown) if shown else ''}")
        children = step.get("children")
        lines += _lines(children, f"{indent}   ") if isinstance(children, list) else []
    return lines
