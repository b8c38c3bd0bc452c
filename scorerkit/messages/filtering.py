"""The message filters of ``prepareRun``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.run import ScorerRun

_LISTS = ("partTypes", "toolNames", "roles")
_LIMITS = {"maxRememberedMessages", "maxOutputMessages", "maxInputMessages"}
_DROPS = {
    "dropRequestContext": "request_context",
    "dropExpectedTrajectory": "expected_trajectory",
    "dropGroundTruth": "ground_truth",
}
_FLAT = {"content": "text", "text": "text", "toolInvocations": "tool-invocation", "reasoning": "reasoning"}
"""Flat fields beside the parts → the type of part whose content they repeat."""

Message: TypeAlias = Mapping[str, "Json"]
Sieve: TypeAlias = Callable[[list["Json"]], list["Json"]]


class Patterns(NamedTuple):
    """What a part must begin with; an empty tuple asks for nothing."""

    types: tuple[str, ...]
    tools: tuple[str, ...]


def filter_run(run: ScorerRun, options: Mapping[str, Json]) -> ScorerRun:
    """The run with fewer messages and fields; the given one is not changed.

    ``partTypes``, ``toolNames`` (both by prefix) and ``roles`` choose among ``input.rememberedMessages`` and
    ``output``; then ``maxRememberedMessages``, ``maxOutputMessages`` and ``maxInputMessages`` keep the last ones, 0
    keeping none; ``keep: parts`` leaves only the matching parts of a kept message. ``dropRequestContext``,
    ``dropExpectedTrajectory`` and ``dropGroundTruth`` remove a field.

    Raises:
        ValueError: an unknown option, an empty list, or a limit that is no whole number from 0 up.
    """
    _check(options)
    sieve = _sieve(options)
    changes: dict[str, Json] = {field: None for key, field in _DROPS.items() if options.get(key)}
    if isinstance(run.input, dict):
        changes["input"] = _filtered_input(run.input, options, sieve)
    if isinstance(run.output, list):
        changes["output"] = _last(sieve(run.output), options.get("maxOutputMessages"))
    return run._replace(**changes)


def _filtered_input(given: dict[str, Json], options: Mapping[str, Json], sieve: Sieve) -> dict[str, Json]:
    made = dict(given)
    if "rememberedMessages" in given:
        remembered = given["rememberedMessages"]
        kept = sieve(remembered) if isinstance(remembered, list) else []
        made["rememberedMessages"] = _last(kept, options.get("maxRememberedMessages"))
    if isinstance(given.get("inputMessages"), list):
        made["inputMessages"] = _last(given["inputMessages"], options.get("maxInputMessages"))
    return made


def _last(messages: list[Json], limit: int | None) -> list[Json]:
    return messages if limit is None else messages[max(len(messages) - limit, 0) :]


def _sieve(options: Mapping[str, Json]) -> Sieve:
    """What chooses among a list of messages."""
    patterns = Patterns(tuple(options.get("partTypes") or ()), tuple(options.get("toolNames") or ()))
    roles = options.get("roles")
    trims = options.get("keep") == "parts" and any(patterns)

    def sieve(messages: list[Json]) -> list[Json]:
        kept = [message for message in messages if _has_role(message, roles) and _matches(message, patterns)]
        return [_trimmed(message, patterns) for message in kept] if trims else kept

    return sieve


def _has_role(message: Json, roles: Json) -> bool:
    role = message.get("role") if isinstance(message, dict) else None
    return roles is None or role is None or role in roles


def _matches(message: Json, patterns: Patterns) -> bool:
    """Messages without structured parts are kept; ``toolNames`` asks only of messages with tool invocations."""
    content = message.get("content") if isinstance(message, dict) else None
    parts = content.get("parts") if isinstance(content, dict) else None
    if not isinstance(parts, list) or not any(patterns):
        return True
    if patterns.types and not any(_type_of(part).startswith(patterns.types) for part in parts):
        return False
    tools = [_tool_of(part) for part in parts if _type_of(part) == "tool-invocation"]
    return not tools or not patterns.tools or any(tool.startswith(patterns.tools) for tool in tools)


def _trimmed(message: Json, patterns: Patterns) -> Json:
    """A copy of the message with only the parts that match, and without flat repetitions of the others."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, dict) or not isinstance(content.get("parts"), list):
        return message
    made = {key: value for key, value in content.items() if key not in _FLAT or _wanted(_FLAT[key], patterns.types)}
    made["parts"] = [part for part in content["parts"] if _part_matches(part, patterns)]
    calls = made.get("toolInvocations")
    if isinstance(calls, list):
        made["toolInvocations"] = [call for call in calls if _wanted(_name_of(call), patterns.tools)]
    return {**message, "content": made}


def _part_matches(part: Json, patterns: Patterns) -> bool:
    named = _type_of(part)
    if not _wanted(named, patterns.types):
        return False
    return named != "tool-invocation" or _wanted(_tool_of(part), patterns.tools)


def _wanted(text: str, prefixes: tuple[str, ...]) -> bool:
    return not prefixes or text.startswith(prefixes)


def _type_of(part: Json) -> str:
    named = part.get("type") if isinstance(part, dict) else None
    return named if isinstance(named, str) else ""


def _tool_of(part: Json) -> str:
    return _name_of(part.get("toolInvocation"))


def _name_of(call: Json) -> str:
    name = call.get("toolName") if isinstance(call, dict) else None
    return name if isinstance(name, str) else ""


def _check(options: Mapping[str, Json]) -> None:
    unknown = options.keys() - _LIMITS - _DROPS.keys() - {*_LISTS, "keep"}
    if unknown:
        message = f"there is no filter '{min(unknown)}'"
        raise ValueError(message)
    for key in _LISTS:
        if key in options and not _is_texts(options[key]):
            message = f"'{key}' must be a list of texts, and not an empty one"
            raise ValueError(message)
    for key in _LIMITS & options.keys():
        limit = options[key]
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
            message = f"'{key}' must be a whole number from 0 up"
            raise ValueError(message)
    if options.get("keep", "messages") not in ("messages", "parts"):
        message = "'keep' must be 'messages' or 'parts'"
        raise ValueError(message)


def _is_texts(value: Json) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(item, str) for item in value)
