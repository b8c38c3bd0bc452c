"""A record's ``input`` and ``output`` in the agent shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.messages.paths import kind, mismatch
from scorerkit.messages.reading import read_messages
from scorerkit.messages.system import read_system_messages, system_message

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.run import ScorerRun

_KEYS = ("inputMessages", "rememberedMessages", "systemMessages", "taggedSystemMessages")


def to_agent_run(run: ScorerRun) -> ScorerRun:
    """The run with input ``{inputMessages, rememberedMessages, systemMessages, taggedSystemMessages}`` and output list.

    Text, message lists, single messages and agent inputs are understood; an absent input has no messages. A list given
    as input splits: system messages apart, trailing user messages as ``inputMessages``, the rest remembered. An output
    that begins with the input's messages is cut there. The given run is not changed; what has its shape is shared.

    Raises:
        RecordError: ``type-mismatch`` at the path of what is not understood.
    """
    given, openings = _read_input(run.input)
    output = read_messages(run.output, ("output",), "assistant")
    return run._replace(input=given, output=_answer_only(output, openings))


def _read_input(value: Json) -> tuple[dict[str, Json], tuple[list[Json], ...]]:
    """The agent input, and the lists with which an output may begin: all of it, the spoken part, the question."""
    if isinstance(value, dict) and not value.keys().isdisjoint(_KEYS):
        made = _completed(value)
        return made, (made["rememberedMessages"] + made["inputMessages"], made["inputMessages"])
    messages = [] if value is None else read_messages(value, ("input",), "user")
    spoken = [message for message in messages if message["role"] != "system"]
    start = len(spoken)
    while start and spoken[start - 1]["role"] == "user":
        start -= 1
    split = {
        "inputMessages": spoken[start:],
        "rememberedMessages": spoken[:start],
        "systemMessages": [system_message(message) for message in messages if message["role"] == "system"],
        "taggedSystemMessages": {},
    }
    return split, (messages, spoken, spoken[start:])


def _completed(value: dict[str, Json]) -> dict[str, Json]:
    """An agent input with all four keys, the lists inside it read; other keys stay."""
    made = dict(value)
    for key in ("inputMessages", "rememberedMessages"):
        messages = value.get(key)
        made[key] = [] if messages is None else read_messages(messages, ("input", key), "user")
    made["systemMessages"] = read_system_messages(value.get("systemMessages"), ("input", "systemMessages"))
    path = ("input", "taggedSystemMessages")
    tagged = value.get("taggedSystemMessages") or {}
    if not isinstance(tagged, dict):
        raise mismatch(path, f"must be a mapping of tags to lists, not {kind(tagged)}")
    made["taggedSystemMessages"] = {tag: read_system_messages(tagged[tag], (*path, tag)) for tag in tagged}
    return made


def _answer_only(output: list[Json], openings: tuple[list[Json], ...]) -> list[Json]:
    """The output without the input's messages, where it begins with them."""
    for opening in openings:
        size = len(opening)
        if 0 < size <= len(output) and all(map(_same, opening, output[:size])):
            return output[size:]
    return output


def _same(one: dict[str, Json], two: dict[str, Json]) -> bool:
    """Whether two canonical messages say the same; ids and times may differ."""
    return bool(one["role"] == two["role"] and _said(one) == _said(two))


def _said(message: dict[str, Json]) -> Json:
    content = message["content"]
    return content.get("parts") or content
