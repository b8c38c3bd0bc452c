"""A small agent with OpenTelemetry, whose answers are scored while it runs: ``python examples/live-app/app.py``.

Needs ``pip install 'scorerkit[otel]'``. Nothing leaves this machine: the agent is made up, and results go to a file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from opentelemetry.sdk.trace import TracerProvider

from scorerkit.live import ScorerSpanProcessor
from scorerkit.live.sinks import JsonLinesSink

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

HERE = Path(__file__).parent
WEATHER = {"Oslo": "4 degrees and rain", "Rome": "21 degrees and sun"}
QUESTIONS = ("What is the weather in Oslo?", "And in Rome?", "And in Atlantis?")


def said(role: str, text: str) -> str:
    """Messages as the semantic conventions for generative AI have them in attributes."""
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def weather(tracer: Tracer, city: str) -> str:
    """The agent's tool, with a span of its own."""
    about = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "weather",
        "gen_ai.tool.call.id": f"call-{city}",
    }
    with tracer.start_as_current_span("execute_tool weather", attributes=about) as span:
        span.set_attribute("gen_ai.tool.call.id", f"call-{city}")
        span.set_attribute("gen_ai.tool.call.arguments", json.dumps({"city": city}))
        found = WEATHER.get(city, "unknown")
        span.set_attribute("gen_ai.tool.call.result", found)
        return found


def answer(tracer: Tracer, question: str) -> str:
    """The agent: one question, one answer."""
    about = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "weather-agent"}
    with tracer.start_as_current_span("invoke_agent weather-agent", attributes=about) as span:
        span.set_attribute("gen_ai.input.messages", said("user", question))
        city = question.rstrip("?").rsplit(" ", 1)[-1]
        found = weather(tracer, city)
        text = f"In {city}: {found}." if found != "unknown" else f"I know nothing of {city}."
        span.set_attribute("gen_ai.output.messages", said("assistant", text))
        return text


def main(target: str = "live.jsonl") -> None:
    """Answer a few questions; the scorer runs in the background."""
    processor = ScorerSpanProcessor(HERE / "scorer.yaml", sink=JsonLinesSink(target))
    provider = TracerProvider()
    provider.add_span_processor(processor)
    tracer = provider.get_tracer("weather")
    for question in QUESTIONS:
        print(question, answer(tracer, question))
    provider.shutdown()
    print(f"{processor.health['live-weather'].saved} results in {target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
