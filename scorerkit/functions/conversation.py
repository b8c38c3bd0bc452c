"""The texts of a conversation: of agent inputs, message lists, plain text and workflow objects alike.

The text of a message is its text parts joined by newlines; a flat ``content`` or ``text`` beside one part or none
comes first. What holds no such text gives ``''`` (or an empty list), whatever it is: these functions never fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_WORKFLOW_TEXTS = ("prompt", "text")
_WORKFLOW_MESSAGES = ("content", "input", "user")


def user_message(value: Json) -> str:
    """The question: the first user message of an agent's ``inputMessages``.

    Of a plain message list the first message of the last unbroken run of user messages, which is what becomes
    ``inputMessages``; of an object without messages ``prompt``, ``text``, or the text of ``content``, ``input`` or
    ``user``; text is itself.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _last_question(value)
    if not isinstance(value, dict):
        return ""
    for key in ("inputMessages", "messages"):
        for message in _messages(value.get(key)):
            if role_of(message) == "user":
                return text_of(message)
    return _workflow_text(value)


def assistant_message(value: Json) -> str:
    """The answer: the last assistant message that has text; of an object its ``text`` or ``content``."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return _answer_of(value)
    for message in reversed(_messages(value)):
        if role_of(message) == "assistant":
            text = text_of(message)
            if text and not text.isspace():
                return text
    return ""


def assistant_messages(value: Json) -> list[str]:
    """The texts of all assistant messages in order, ``''`` for those that only call tools."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [_answer_of(value)] if value.get("role") in {None, "assistant"} else []
    return [text_of(message) for message in _messages(value) if role_of(message) == "assistant"]


def system_prompt(value: Json) -> str:
    """All system messages, with an empty line between them: those set apart, those among the input, tagged ones."""
    if isinstance(value, list):
        return "\n\n".join(_system_texts(value))
    if not isinstance(value, dict):
        return ""
    texts = [text_of(message) for message in _messages(value.get("systemMessages"))]
    for key in ("inputMessages", "messages"):
        texts += _system_texts(_messages(value.get(key)))
    tagged = value.get("taggedSystemMessages")
    for messages in tagged.values() if isinstance(tagged, dict) else ():
        texts += [text_of(message) for message in _messages(messages)]
    return "\n\n".join(text for text in texts if text)


def conversation(value: Json, max_messages: int | None = 10) -> str:
    """The last messages as lines ``role: text``: an agent input's remembered ones, or those of a message list.

    ``max_messages`` null shows all of them; those without text are left out after counting.
    """
    messages = _messages(value.get("rememberedMessages") if isinstance(value, dict) else value)
    if max_messages is not None:
        messages = messages[-max_messages:] if max_messages > 0 else []
    lines = ((role_of(message), text_of(message).strip()) for message in messages)
    return "\n".join(f"{role}: {text}" for role, text in lines if text)


def reasoning(value: Json) -> str:
    """What the first assistant message says of its reasoning."""
    messages = [value] if isinstance(value, dict) else _messages(value)
    content = next((message.get("content") for message in messages if role_of(message) == "assistant"), None)
    if not isinstance(content, dict):
        return ""
    flat = content.get("reasoning")
    if isinstance(flat, str) and flat:
        return flat
    parts = [part for part in _messages(content.get("parts")) if part.get("type") == "reasoning"]
    return "\n".join(text for text in map(_thought, parts) if text)


def role_of(message: Json) -> str:
    """A message's role; a signal speaks in the role that its metadata or its type names."""
    if not isinstance(message, dict):
        return ""
    role = message.get("role")
    if role != "signal":
        return role if isinstance(role, str) else ""
    content = message.get("content")
    metadata = content.get("metadata") if isinstance(content, dict) else None
    signal = metadata.get("signal") if isinstance(metadata, dict) else None
    named = (signal.get("tagName") or signal.get("type")) if isinstance(signal, dict) else None
    role = named or message.get("type")
    return role if isinstance(role, str) else "signal"


def text_of(message: Json) -> str:
    """The text of one message: the text of its ``content``."""
    return _content_text(message.get("content")) if isinstance(message, dict) else ""


def _content_text(content: Json) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_texts(content))
    if not isinstance(content, dict):
        return ""
    texts = _texts(content.get("parts"))
    if len(texts) > 1:  # a flat text beside several parts holds but one of them
        return "\n".join(texts)
    for key in ("content", "text"):
        flat = content.get(key)
        if isinstance(flat, str) and flat:
            return flat
    return texts[0] if texts else ""


def _texts(parts: Json) -> list[str]:
    if not isinstance(parts, list):
        return []
    found = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    return [text for text in found if isinstance(text, str) and text]


def _messages(value: Json) -> list[dict[str, Json]]:
    """The objects of a list; of anything else none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _last_question(messages: list[Json]) -> str:
    question: Json = None
    for message in reversed(messages):
        if role_of(message) == "user":
            question = message
        elif question is not None:
            break
    return text_of(question)


def _answer_of(value: dict[str, Json]) -> str:
    if value.get("role") not in {None, "assistant"}:
        return ""
    text = value.get("text")
    return text if isinstance(text, str) else text_of(value)


def _workflow_text(value: dict[str, Json]) -> str:
    for key in _WORKFLOW_TEXTS:
        text = value.get(key)
        if isinstance(text, str):
            return text
    for key in _WORKFLOW_MESSAGES:
        if key in value:
            found = _content_text(value[key])
            if found:
                return found
    return ""


def _system_texts(messages: list[Json]) -> list[str]:
    return [text for text in (text_of(message) for message in messages if role_of(message) == "system") if text]


def _thought(part: dict[str, Json]) -> str:
    details = _texts(part.get("details"))
    text = part.get("reasoning")
    return "\n".join(details) or (text if isinstance(text, str) else "")
