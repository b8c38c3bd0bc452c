"""Builders for records of agents, in the canonical shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorerkit.model.json import Json


def tool_call(
    name: str, args: Json = None, *, result: Json = None, state: str = "result", call_id: str | None = None
) -> Json:
    """A message part: one call of a tool; ``state`` is ``call`` without a result, ``output-error`` where it failed."""
    invocation = {"toolCallId": call_id or f"call-{name}", "toolName": name, "args": args or {}, "state": state}
    if state == "result":
        invocation["result"] = result
    if state == "output-error":
        invocation["errorText"] = str(result)
    return {"type": "tool-invocation", "toolInvocation": invocation}


def message(role: str, text: str | None = None, *parts: Json, message_id: str = "m") -> Json:
    """A canonical message: its text first, then further parts."""
    texts = [] if text is None else [{"type": "text", "text": text}]
    return {"id": message_id, "role": role, "content": {"format": 2, "parts": [*texts, *parts]}}


def agent_run(
    question: str,
    output: Sequence[Json],
    *,
    remembered: Sequence[Json] = (),
    system: Sequence[str] = (),
    **fields: Json,
) -> Mapping[str, Json]:
    """The arguments of ``scorer.run(**agent_run(…))`` for an agent scorer."""
    return {
        "input": {
            "inputMessages": [message("user", question, message_id="question")],
            "rememberedMessages": list(remembered),
            "systemMessages": [{"role": "system", "content": text} for text in system],
            "taggedSystemMessages": {},
        },
        "output": list(output),
        **fields,
    }
