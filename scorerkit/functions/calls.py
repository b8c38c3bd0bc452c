"""Judgements over tool calls: expected ones, their order, failures."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from scorerkit.errors import NotScorable
from scorerkit.functions.arguments import as_list
from scorerkit.functions.tools import invocations, tool_calls

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_INFO = ("toolName", "toolCallId", "messageIndex", "invocationIndex")


def tool_call_accuracy(
    messages: Json, expected_tool: str | None = None, expected_order: list[str] | None = None, strict: bool = False
) -> dict[str, Json]:
    """Whether the calls of messages are the expected ones; ``correctOrderCalled`` is null where no order is asked.

    An order wins over a single tool. Strict: exactly these calls. Otherwise the tool is among the calls, or the first
    calls of the tools of the order follow one another, so that an order that names a tool twice is never met.

    Raises:
        NotScorable: nothing is expected.
    """
    if not expected_tool and expected_order is None:
        why = "nothing is expected: give expectedTool or expectedToolOrder"
        raise NotScorable(why)
    calls = tool_calls(messages)
    names = [call["toolName"] for call in calls]
    found: dict[str, Json] = {"actualTools": names, "strictMode": strict, "hasToolCalls": bool(names)}
    if expected_tool is not None:
        found["expectedTool"] = expected_tool
    if expected_order is not None:
        found["expectedToolOrder"] = expected_order
    found["toolCallInfos"] = [{key: call[key] for key in _INFO} for call in calls]
    found["correctToolCalled"] = _called(names, expected_tool, strict)
    found["correctOrderCalled"] = None if expected_order is None else _in_order(names, expected_order, strict)
    return found


def _called(names: list[str], expected: str | None, strict: bool) -> bool:
    return names == [expected] if strict else expected in names


def _in_order(names: list[str], expected: list[str], strict: bool) -> bool:
    if strict:
        return names == expected
    firsts = [names.index(name) for name in expected if name in names]
    return len(firsts) == len(expected) and all(one < two for one, two in pairwise(firsts))


def is_subsequence(names: list[Json], of: list[Json]) -> bool:
    """Whether all items occur in another list in this order, others between them or not.

    Raises:
        ValueError: one of the two is not a list.
    """
    rest = iter(as_list("is_subsequence", of))
    return all(name in rest for name in as_list("is_subsequence", names))


def tool_errors(messages: Json) -> dict[str, Json]:
    """Which calls failed or got no answer: ``errorCount``, ``totalCalls``, ``failedTools`` (names, in order).

    These are in state ``call`` or ``output-error``, or marked ``isError``, or have a result with an ``error``. A call
    that was still being written is in the total, and no failure.
    """
    calls = [call for _, _, call in invocations(messages)]
    failed = [str(call.get("toolName") or "") for call in calls if _failed(call)]
    return {"errorCount": len(failed), "totalCalls": len(calls), "failedTools": failed}


def _failed(call: dict[str, Json]) -> bool:
    result = call.get("result")
    error = result.get("error") if isinstance(result, dict) else None
    said = error is not None and error is not False and error not in ("", 0)  # an empty mapping is an error too
    return call.get("state") in {"call", "output-error"} or bool(call.get("isError")) or said
