"""Where live results go: a function, a file of lines, or events of OpenTelemetry."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorerkit.results.events import EVENT, evaluation_attributes
from scorerkit.results.row import serialise

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.live.background import Scored


class JsonLinesSink:
    """Appends each result as a line; every line is whole, also when several threads or processes write."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()

    def __call__(self, scored: Scored) -> None:
        """Append one line."""
        row = scored.result.to_dict() | {"traceId": scored.trace_id, "spanId": scored.span_id}
        with self._lock, self._path.open("ab") as file:
            file.write(serialise(row))


def otel_sink(logger: Any = None) -> Callable[[Scored], None]:
    """A sink that emits each result as an OpenTelemetry event, tied to the span that was scored."""
    from opentelemetry._logs import LogRecord, SeverityNumber, get_logger
    from opentelemetry.trace import SpanContext, TraceFlags, set_span_in_context
    from opentelemetry.trace.span import NonRecordingSpan

    target = logger or get_logger("scorerkit.live")

    def emit(scored: Scored) -> None:
        record: dict[str, Any] = {"event_name": EVENT, "severity_number": SeverityNumber.INFO}
        record["attributes"] = evaluation_attributes(scored.result.to_dict())
        if scored.trace_id and scored.span_id:
            ids = int(scored.trace_id, 16), int(scored.span_id, 16)
            span = NonRecordingSpan(SpanContext(*ids, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED)))
            record["context"] = set_span_in_context(span)
        target.emit(LogRecord(**record))

    return emit
