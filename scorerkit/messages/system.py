"""System messages, which the agent shape keeps apart as ``{role: system, content: text}``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.messages.reading import read_messages

if TYPE_CHECKING:
    from scorerkit.model.json import Json, Path


def read_system_messages(value: Json, path: Path) -> list[dict[str, Json]]:
    """The system messages of a list, a single one, or text; those with text as content stay as they are.

    Raises:
        RecordError: ``type-mismatch`` naming the path.
    """
    if value is None:
        return []
    if isinstance(value, list) and all(
        isinstance(item, dict) and isinstance(item.get("content"), str) for item in value
    ):
        return value
    return [system_message(message) for message in read_messages(value, path, "system")]


def system_message(message: dict[str, Json]) -> dict[str, Json]:
    """A canonical message as a system message: its text parts joined by newlines."""
    content = message["content"]
    parts = content.get("parts")
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    text = "\n".join(text for text in texts if isinstance(text, str) and text)
    flat = content.get("content")
    return {"role": "system", "content": text or (flat if isinstance(flat, str) else "")}
