"""A trace as the run of an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.errors import RecordError
from scorerkit.functions.conversation import text_of
from scorerkit.functions.spans import steps_of_spans
from scorerkit.functions.tools import tool_calls
from scorerkit.functions.trajectories import trajectory
from scorerkit.messages import to_agent_run
from scorerkit.messages.reading import read_messages
from scorerkit.messages.system import system_message
from scorerkit.model.run import ScorerRun
from scorerkit.traces.response import own_models, response_of
from scorerkit.traces.span import BAD_RECORD

if TYPE_CHECKING:
    from scorerkit.messages.canonical import Messages
    from scorerkit.model.json import Json
    from scorerkit.traces.span import Span
    from scorerkit.traces.trace import Trace

_LISTS = ("inputMessages", "rememberedMessages", "systemMessages")


def agent_run_of(trace: Trace, head: str | None = None) -> tuple[dict[str, Json], Messages]:
    """Input and output of an agent: of the whole trace, or of what hangs under one of its spans.

    The question is that of the agent, of the note on the trace, or the end of what the first model was told; what that
    model was told before is remembered, its system messages are the agent's.

    Raises:
        RecordError: ``type-mismatch`` for messages that are not understood, ``bad-record`` for a trace of a strict
            format without agent, answer or model.
    """
    spans = trace.under(head)
    agent = trace.span(head) if head is not None else _agent(trace, spans)
    if trace.form.STRICT:
        _check(trace, agent)
    given = _strict_input(trace, agent) if trace.form.STRICT else _input(trace, agent, spans)
    return given, response_of(trace, agent, spans)


def trajectory_of(trace: Trace, head: str | None = None) -> dict[str, Json]:
    """The steps of the trace, or of what hangs under one of its spans.

    Where no span shows a tool, the calls are those of the messages.
    """
    spans = trace.under(None)
    shown = [span for span in trace.under(head) if span.kind == "tool"]
    if not shown and not trace.form.STRICT:
        _, output = agent_run_of(trace, head)
        if tool_calls(output):
            return trajectory(output)
    return steps_of_spans([_as_step(trace, span) for span in spans], head)


def _as_step(trace: Trace, span: Span) -> dict[str, Json]:
    return {
        "spanId": span.id,
        "parentSpanId": trace.parent(span.id),
        "spanType": span.step,
        "name": span.name,
        "startedAt": span.start,
        "endedAt": span.end,
        "input": span.input,
        "output": span.output,
        "attributes": span.attributes,
        "entityId": span.entity,
    }


def _agent(trace: Trace, spans: list[Span]) -> Span:
    """The root, or the only topmost agent where the root is none."""
    root = trace.span(trace.root)
    if root.kind == "agent" or trace.form.STRICT:
        return root
    agents = [span for span in spans if span.kind == "agent" and _is_topmost(trace, span)]
    return agents[0] if len(agents) == 1 else root


def _check(trace: Trace, agent: Span) -> None:
    if agent.kind == "agent":
        if agent.output is None:
            raise RecordError(BAD_RECORD, f"the agent's span '{agent.id}' has no output", why="the trace was cut off")
        if not any(span.kind == "llm" for span in trace.under(None)):
            raise RecordError(BAD_RECORD, f"the trace '{trace.id}' has no span of a model")
    elif agent.id == trace.root:
        fix = "score its agents one by one: --span-kind agent"
        raise RecordError(BAD_RECORD, f"the root span '{agent.id}' is no agent", fix=fix)


def _strict_input(trace: Trace, agent: Span) -> dict[str, Json]:
    """What the agent was asked, and of the rest what its first model was told and the question does not say."""
    asked = _read(
        agent, agent.heard if agent.heard is not None else agent.input if isinstance(agent.input, str) else []
    )
    below = [trace.span(own) for own in trace.children().get(agent.id, [])]
    models = [span for span in sorted(below, key=lambda span: span.start or 0.0) if span.kind == "llm"]
    told = _read(models[0], models[0].heard or []) if models else []
    question = text_of(asked[0]) if asked else None
    spoken = [message for message in told if message["role"] != "system"]
    return {
        "inputMessages": asked,
        "rememberedMessages": [message for message in spoken if text_of(message) != question],
        "systemMessages": [system_message(message) for message in told if message["role"] == "system"],
        "taggedSystemMessages": {},
    }


def _input(trace: Trace, agent: Span, spans: list[Span]) -> dict[str, Json]:
    speakers = own_models(trace, spans)
    told = next((span for span in speakers if span.heard is not None), None)
    asked = [agent]
    if agent.id in {trace.root, *trace.ancestors(agent.id)} or agent.kind != "agent" or _is_topmost(trace, agent):
        whole = trace.whole()
        asked += [trace.span(trace.root), *([whole] if whole is not None else [])]
    views = [view for view in (*map(_asked, asked), _split(told, told.heard) if told else None) if view is not None]
    made: dict[str, list[Json]] = {key: next((view[key] for view in views if view[key]), []) for key in _LISTS}
    instructions = next((span.instructions for span in (agent, *speakers) if span.instructions), "")
    if instructions and not made["systemMessages"]:
        made["systemMessages"] = [{"role": "system", "content": instructions}]
    return {**made, "taggedSystemMessages": {}}


def _is_topmost(trace: Trace, agent: Span) -> bool:
    return not any(trace.span(own).kind == "agent" for own in trace.ancestors(agent.id))


def _asked(span: Span) -> dict[str, Json] | None:
    """What a span was asked, if it says so in messages or in plain words."""
    if span.heard is not None:
        return _split(span, span.heard)
    return _split(span, span.input) if isinstance(span.input, str) and span.input and span.kind != "tool" else None


def _split(span: Span, messages: Json) -> dict[str, Json]:
    run = to_agent_run(ScorerRun(input=_read(span, messages), output=[]))
    return run.input  # type: ignore[no-any-return]


def _read(span: Span, messages: Json) -> Messages:
    return read_messages(messages, (f"span '{span.id}'", "input"), "user")
