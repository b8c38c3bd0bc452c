"""Tool calls and their results, from canonical messages: structured parts and the older flat list alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json

_CALLED = frozenset({"call", "result", "output-error"})
"""The states of a call that was made; ``partial-call`` was still being written."""


def tool_calls(value: Json) -> list[dict[str, Json]]:
    """Every tool call: ``toolName``, ``toolCallId``, ``args``, ``state``, ``messageIndex``, ``invocationIndex``.

    ``args`` is ``{}`` where none were given, and the raw text where it was not JSON. A call without an id gets
    ``MESSAGE-INVOCATION``, the two indexes. What is no message list has no calls.
    """
    return [
        {
            "toolName": call["toolName"],
            "toolCallId": call.get("toolCallId") or f"{message}-{index}",
            "args": _arguments(call),
            "state": call["state"],
            "messageIndex": message,
            "invocationIndex": index,
        }
        for message, index, call in invocations(value)
        if call.get("state") in _CALLED and call.get("toolName")
    ]


def tool_results(value: Json) -> list[dict[str, Json]]:
    """What the tools answered, in order: ``toolName``, ``toolCallId``, ``args``, ``result``.

    A call that failed is among them: ``isError`` is then true, ``errorText`` what it said, ``result`` null if it gave
    none. The two keys are absent otherwise.
    """
    return [
        _result(call)
        for _, _, call in invocations(value)
        if call.get("state") == "output-error" or (call.get("state") == "result" and "result" in call)
    ]


def invocations(value: Json) -> Iterator[tuple[int, int, dict[str, Json]]]:
    """(message index, index inside the message, tool invocation) of a message list, or of one message."""
    messages = value if isinstance(value, list) else [value]
    for position, message in enumerate(messages):
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, dict):
            for index, call in enumerate(_merged(content)):
                yield position, index, call


def _merged(content: dict[str, Json]) -> list[dict[str, Json]]:
    """Parts and the older list as one: a part wins over an equal id, other older calls keep their place before it."""
    parts = content.get("parts")
    calls = [part.get("toolInvocation") for part in parts if _is_call(part)] if isinstance(parts, list) else []
    calls = [call for call in calls if isinstance(call, dict)]
    older = content.get("toolInvocations")
    if not older or not isinstance(older, list):
        return calls
    return _woven(calls, [call for call in older if isinstance(call, dict)])


def _woven(calls: list[dict[str, Json]], older: list[dict[str, Json]]) -> list[dict[str, Json]]:
    places = {str(call.get("toolCallId")): place for place, call in enumerate(calls)}
    merged: list[dict[str, Json]] = []
    waiting: list[dict[str, Json]] = []
    done = 0
    for call in older:
        shared = places.get(str(call.get("toolCallId")))
        if shared is None:
            waiting.append(call)
        elif shared >= done:
            merged += [*calls[done:shared], *waiting, calls[shared]]
            waiting, done = [], shared + 1
    return [*merged, *calls[done:], *waiting]


def _is_call(part: Json) -> bool:
    return isinstance(part, dict) and part.get("type") == "tool-invocation"


def _arguments(call: dict[str, Json]) -> Json:
    args = call.get("args")
    return {} if args is None else args


def _result(call: dict[str, Json]) -> dict[str, Json]:
    found = {
        "toolName": call.get("toolName") or "",
        "toolCallId": call.get("toolCallId") or "",
        "args": _arguments(call),
        "result": call.get("result"),
    }
    if call["state"] == "output-error" or call.get("isError"):
        found["isError"] = True
        found["errorText"] = call.get("errorText") or ""
    return found
