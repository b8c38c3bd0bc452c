"""An application that makes traces as fast as it can, with the OpenTelemetry SDK alone or with a scorer behind it.

``--scorer`` switches scoring on. Each trace is an agent with a model call and a tool call; each score takes 10 ms. What
is counted is the application's own time, from its first span to its last, before anything is flushed.
"""

from __future__ import annotations

import asyncio
import json
import time

from meter import arguments, tell
from opentelemetry.sdk.trace import TracerProvider

TRACES = 20_000
ASKED = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Where is the museum? " * 10}]}])
SAID = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "In the old mill. " * 20}]}])


async def waiting(run: object) -> float:  # noqa: ARG001 - what a scorer is given
    await asyncio.sleep(0.01)
    return 1.0


def provider(scored: bool) -> TracerProvider:
    made = TracerProvider()
    if scored:
        from scorerkit import create_scorer
        from scorerkit.live import ScorerSpanProcessor

        scorer = create_scorer(id="waiting", description="Takes 10 ms.").generate_score(waiting)
        made.add_span_processor(ScorerSpanProcessor(scorer, sink=lambda scored: None))
    return made


def main() -> None:
    given = arguments()
    made = provider(given.scorer is not None)
    tracer = made.get_tracer("application")
    words = {"gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID}
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "guide", **words}
    model = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", **words}
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "map", "gen_ai.tool.call.result": "found"}
    time.sleep(0.2)  # the background has started
    started = time.perf_counter()
    for _ in range(TRACES):
        with tracer.start_as_current_span("guide", attributes=agent):
            with tracer.start_as_current_span("chat", attributes=model):
                pass
            with tracer.start_as_current_span("map", attributes=tool):
                pass
    ended = time.perf_counter()
    made.shutdown()
    tell(TRACES, started, ended)


if __name__ == "__main__":
    main()
