"""Spans of the SDK as trace files have them, and the record that a trace becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.traces.formats import otlp
from scorerkit.traces.run import record_of_trace
from scorerkit.traces.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opentelemetry.sdk.trace import ReadableSpan

    from scorerkit.model.json import Json
    from scorerkit.model.run import ScorerRun


def printed(span: ReadableSpan) -> dict[str, Json]:
    """A span in the form in which the SDK prints it."""
    context, parent, status = span.context, span.parent, span.status
    return {
        "name": span.name,
        "context": {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"} if context else {},
        "parent_id": f"{parent.span_id:016x}" if parent is not None and not parent.is_remote else None,
        "startTimeUnixNano": span.start_time,
        "endTimeUnixNano": span.end_time,
        "attributes": {key: _plain(value) for key, value in (span.attributes or {}).items()},
        "events": [
            {"name": event.name, "attributes": {key: _plain(value) for key, value in (event.attributes or {}).items()}}
            for event in span.events
        ],
        "status": {"status_code": status.status_code.name, "description": status.description},
    }


def _plain(value: Any) -> Json:
    return list(value) if isinstance(value, tuple) else value


def run_of(spans: Sequence[dict[str, Json]]) -> ScorerRun:
    """The record of one trace; the scorer's ``type`` decides later what of it is looked at.

    Raises:
        RecordError: the trace is broken, such as a root without output.
    """
    made = record_of_trace(Trace(otlp, [otlp.printed(span) for span in spans]))
    if made.error is not None:
        raise made.error
    return made.run
