"""A span processor of the OpenTelemetry SDK: traces of an agent are scored when their root has ended."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from opentelemetry.sdk.trace import SpanProcessor

from scorerkit.live.background import CONCURRENCY, MAX_WAITING, Background, Health, Job, Sink
from scorerkit.live.decision import Decision, Filter, Sampling, flattened
from scorerkit.live.scorers import scorers_of
from scorerkit.live.spans import printed, run_of

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

    from scorerkit.model.run import ScorerRun

MAX_SPANS = 20_000
"""Spans of unfinished traces that are held; beyond that the oldest trace is given up and counted."""


class ScorerSpanProcessor(SpanProcessor):
    """Scores each trace whose root ends in this process.

    What happens in the application's own thread is an append and, at the end of a trace, the sampling of its id;
    conversion and scoring happen in the background.
    """

    def __init__(
        self,
        scorers: Any,
        *,
        sampling: Sampling = None,
        filter: Filter = None,  # noqa: A002 - the reference's name
        sink: Sink,
        max_waiting: int = MAX_WAITING,
        max_spans: int = MAX_SPANS,
        concurrency: int = CONCURRENCY,
        background: Background | None = None,
    ) -> None:
        """``scorers``: one or several, each an object, a path or an id; ``sink`` gets every result."""
        self._scorers = [(scorer, Health()) for scorer in scorers_of(scorers)]
        self.health = {scorer.id: health for scorer, health in self._scorers}
        self.background = background or Background(max_waiting=max_waiting, concurrency=concurrency)
        self._decision = Decision(sampling, filter)
        self._sink = sink
        self._max_spans = max_spans
        self._open: dict[int, list[ReadableSpan]] = {}
        self._held = 0
        self._lock = threading.Lock()

    def on_end(self, span: ReadableSpan) -> None:
        """Keep a span with its trace; a root that ends hands the trace over."""
        try:
            parent = span.parent
            trace = span.context.trace_id
            if parent is not None and not parent.is_remote:
                with self._lock:
                    self._open.setdefault(trace, []).append(span)
                    self._held += 1
                    if self._held > self._max_spans:
                        self._give_up()
                return
            spans = self._open.pop(trace, None) if self._open else None
            if spans:
                with self._lock:
                    self._held -= len(spans)
                spans.append(span)
            self._offer(trace, spans or [span])
        except Exception as error:
            for health in self.health.values():
                health.error(f"{type(error).__name__}: {error}")

    def _give_up(self) -> None:
        """Let the oldest unfinished trace go."""
        trace = next(iter(self._open))
        self._held -= len(self._open.pop(trace))
        for health in self.health.values():
            health.dropped += 1

    def _offer(self, trace: int, spans: list[ReadableSpan]) -> None:
        # The application waits for this: what will not be scored costs it as little as can be.
        sampled = self._decision.rate < 1
        trace_id = f"{trace:032x}" if sampled else ""
        taken = not sampled or self._decision.takes(trace_id)
        full = self.background.full
        for scorer, health in self._scorers:
            health.triggered += 1
            if taken:
                health.sampled += 1
                if full:
                    health.dropped += 1
                    continue
                trace_id = trace_id or f"{trace:032x}"
                job = Job(scorer, health, _maker(self._decision, spans), self._sink, trace_id, _root_id(spans))
                self.background.offer(job)

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Wait until everything offered is scored."""
        return self.background.flush(timeout_millis / 1000)

    def shutdown(self) -> None:
        """Score what waits, within a limit."""
        self.background.shutdown()


def _root_id(spans: list[ReadableSpan]) -> str | None:
    context = spans[-1].context
    return f"{context.span_id:016x}" if context is not None else None


def _maker(decision: Decision, spans: list[ReadableSpan]) -> Any:
    """What makes the run of a trace, in the background; None where the filter does not let it through."""

    def make() -> ScorerRun | None:
        values = [printed(span) for span in spans]
        root = values[-1]
        context = {key.removeprefix("request."): value for key, value in root["attributes"].items()}
        about = {
            "entity": {"id": root["attributes"].get("gen_ai.agent.id"), "name": _name(root)},
            "source": "LIVE",
            "requestContext": {**context, **flattened(context)},
        }
        if not decision.passes(about):
            return None
        return run_of(values)

    return make


def _name(root: dict[str, Any]) -> str:
    return str(root["attributes"].get("gen_ai.agent.name") or root["name"])
