"""The messages of a generation: how the wanted form is told, and how a judge is told that its answer was not usable."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from scorerkit.model.judge import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.judge.format import AnswerFormat
    from scorerkit.model.judge import Question

Placement = Literal["system", "inline"]


def opening(question: Question) -> tuple[Message, ...]:
    """The system message, if there are instructions, and the prompt."""
    user = Message("user", question.prompt)
    return (Message("system", question.instructions), user) if question.instructions else (user,)


def with_schema(messages: Sequence[Message], form: AnswerFormat, placement: Placement) -> tuple[Message, ...]:
    """The messages with the schema at the end of the system message, or of the last user message."""
    role = "system" if placement == "system" else "user"
    told = _told(form)
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == role:
            said = Message(role, f"{messages[index].content}\n\n{told}")
            return (*messages[:index], said, *messages[index + 1 :])
    return (Message(role, told), *messages) if role == "system" else (*messages, Message(role, told))


def asked_again(messages: Sequence[Message], answer: str, fault: str, form: AnswerFormat | None) -> tuple[Message, ...]:
    """The conversation continued: the judge's answer, then what was wrong with it."""
    wanted = "Answer again, with the text only." if form is None else _AGAIN
    complaint = Message("user", f"Your answer could not be used: {fault}.\n{wanted}")
    said = (Message("assistant", answer),) if answer.strip() else ()  # providers refuse an empty message
    return (*messages, *said, complaint)


_AGAIN = "Answer again with only one JSON value that fits the schema: no Markdown, no other text."


def _told(form: AnswerFormat) -> str:
    schema = json.dumps(form.schema, ensure_ascii=False)
    return f"Answer with only one JSON value that fits this JSON Schema, without Markdown or any other text:\n{schema}"
