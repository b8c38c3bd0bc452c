"""Records of traces: runs that still know the trace they were made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from scorerkit.errors import RecordError
from scorerkit.functions.conversation import assistant_message, user_message
from scorerkit.functions.tools import tool_calls
from scorerkit.model.run import ScorerRun
from scorerkit.traces.agent import agent_run_of, trajectory_of
from scorerkit.traces.span import BAD_RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.messages.canonical import Messages
    from scorerkit.model.json import Json
    from scorerkit.traces.trace import Trace

KINDS = ("agent", "llm", "tool")
"""What ``--span-kind`` takes."""


class Teller(Protocol):
    """What tells the story behind a record in the shape that a scorer wants."""

    def agent(self) -> tuple[dict[str, Json], Messages]:
        """Input and output of the agent shape."""
        ...

    def trajectory(self) -> dict[str, Json]:
        """The steps."""
        ...


class TraceRun(ScorerRun):
    """A run whose input and output are those of a span, and that tells the rest when asked."""

    teller: Teller


class Made(NamedTuple):
    """A record of traces; with ``error`` it is known and cannot be scored."""

    run: ScorerRun
    error: RecordError | None = None


class OneTrace:
    """A trace, or what hangs under one of its spans."""

    def __init__(self, trace: Trace, head: str | None = None) -> None:
        self._trace = trace
        self._head = head

    def agent(self) -> tuple[dict[str, Json], Messages]:
        return agent_run_of(self._trace, self._head)

    def trajectory(self) -> dict[str, Json]:
        return trajectory_of(self._trace, self._head)


class Conversation:
    """The traces of a session, in time order: all questions, all answers, and what was there before the first."""

    def __init__(self, traces: list[Trace]) -> None:
        self._traces = traces

    def agent(self) -> tuple[dict[str, Json], Messages]:
        turns = [agent_run_of(trace) for trace in self._traces]
        asked = [message for given, _ in turns for message in given["inputMessages"]]
        return {**turns[0][0], "inputMessages": asked}, [message for _, said in turns for message in said]

    def trajectory(self) -> dict[str, Json]:
        parts = [trajectory_of(trace) for trace in self._traces]
        made: dict[str, Json] = {"steps": [step for part in parts for step in part["steps"]]}
        durations = [part.get("totalDurationMs") for part in parts]
        if all(duration is not None for duration in durations):
            made["totalDurationMs"] = sum(durations)
        return made


def as_agent(run: ScorerRun) -> ScorerRun:
    """The run of a trace in the agent shape.

    Raises:
        RecordError: the trace holds no agent, or messages that are not understood.
    """
    assert isinstance(run, TraceRun)
    given, output = run.teller.agent()
    return ScorerRun._make(run)._replace(input=given, output=output)


def as_trajectory(run: ScorerRun) -> ScorerRun:
    """The run of a trace with the steps as its output, and the question as its input.

    Raises:
        RecordError: as :func:`as_agent`.
    """
    assert isinstance(run, TraceRun)
    return ScorerRun._make(run)._replace(output=run.teller.trajectory())


def record_of_trace(trace: Trace) -> Made:
    """One record for a whole trace."""
    try:
        trace.check()
    except RecordError as error:
        return Made(ScorerRun(run_id=trace.id, metadata=_metadata(trace, None)), error)
    root = trace.root
    return _made(trace, root, trace.id, OneTrace(trace))


def records_of_spans(trace: Trace, kind: str) -> Iterator[Made]:
    """One record for each span of a kind, in time order; one failed record for a broken trace."""
    try:
        trace.check()
    except RecordError as error:
        yield Made(ScorerRun(run_id=trace.id, metadata=_metadata(trace, None)), error)
        return
    for span in trace.under(None):
        if span.kind == kind:
            yield _made(trace, span.id, f"{trace.id}:{span.id}", OneTrace(trace, span.id))


def record_of_session(session: str, traces: list[Trace]) -> Made:
    """One record for the traces of a session; input and output are the lists of theirs."""
    turns = [(trace, record_of_trace(trace)) for trace in traces]
    broken = next((made.error for _, made in turns if made.error is not None), None)
    first = turns[0][1].run
    metadata = {**(first.metadata or {}), "traceId": [trace.id for trace, _ in turns]}
    metadata.pop("spanId", None)
    if broken is not None:
        return Made(ScorerRun(run_id=session, metadata=metadata), broken)
    turns.sort(key=lambda turn: turn[0].span(turn[0].root).start or 0.0)
    metadata["traceId"] = [trace.id for trace, _ in turns]
    inputs, outputs = [made.run.input for _, made in turns], [made.run.output for _, made in turns]
    base = ScorerRun(inputs, outputs, first.ground_truth, None, session, None, metadata)
    return Made(_telling(base, Conversation([trace for trace, _ in turns])))


def _made(trace: Trace, own: str, run_id: str, teller: Teller) -> Made:
    """The record of a span: its own input and output, or what can be told of them."""
    span = trace.span(own)
    metadata = _metadata(trace, own)
    more = trace.more() if own == trace.root else {}
    extra = more.get("metadata")
    base = ScorerRun(
        run_id=run_id,
        ground_truth=more.get("groundTruth"),
        metadata={**metadata, **extra} if isinstance(extra, dict) else metadata,
    )
    given, output = span.input, span.output
    whole = trace.whole() if own == trace.root else None
    if not trace.form.STRICT:
        given = _first(given, span.heard, whole.input if whole else None)
        output = _first(output, span.said, whole.output if whole else None)
    try:
        if not trace.form.STRICT and own == trace.root and (given is None or output is None):
            given, output = _told(teller, given, output)
    except RecordError as error:
        return Made(base, error)
    if output is None and span.error is None:
        return Made(base._replace(input=given), _no_output(trace, own))
    return Made(_telling(base._replace(input=given, output=output), teller))


def _told(teller: Teller, given: Json, output: Json) -> tuple[Json, Json]:
    """Question and answer in words, for roots that do not record theirs; messages where the answer is calls only."""
    asked, said = teller.agent()
    answer = assistant_message(said) or (said if tool_calls(said) else None)
    return (user_message(asked) or None) if given is None else given, answer if output is None else output


def telling(base: ScorerRun, other: ScorerRun) -> ScorerRun:
    """``base``, telling the trace that ``other`` tells."""
    return _telling(base, other.teller) if isinstance(other, TraceRun) else base


def _telling(base: ScorerRun, teller: Teller) -> TraceRun:
    run = TraceRun._make(base)
    run.teller = teller
    return run


def _metadata(trace: Trace, own: str | None) -> dict[str, Json]:
    session, user = trace.identity()
    found = {"traceId": trace.id, "spanId": own, "sessionId": session, "userId": user}
    return {key: value for key, value in found.items() if value is not None}


def _first(*values: Json) -> Json:
    return next((value for value in values if value is not None), None)


def _no_output(trace: Trace, own: str) -> RecordError:
    which = "root span" if own == trace.root else "span"
    why = "it was cut off, or what it answered was not exported"
    return RecordError(BAD_RECORD, f"the {which} '{own}' has no output", why=why)
