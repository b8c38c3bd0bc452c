"""A real OpenTelemetry pipeline whose spans are scored."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("opentelemetry.sdk")

from opentelemetry.sdk.trace import TracerProvider

import scorerkit
from scorerkit.live import ScorerSpanProcessor

TOOLS = scorerkit.create_scorer(id="tools", description="x", type="agent").generate_score(
    expression="run.output | tool_calls | length"
)
ANSWER = scorerkit.create_scorer(id="answer", description="x", type="agent").generate_score(
    expression="(run.output | assistant_message | length) + (run.input | user_message | length) / 100"
)


def pipeline(*scorers, **options):
    results = []
    processor = ScorerSpanProcessor(list(scorers), sink=results.append, **options)
    provider = TracerProvider()
    provider.add_span_processor(processor)
    return provider.get_tracer("app"), processor, results


def messages(role, text):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def agent(tracer, question="Weather?", answer="Sunny.", tools=2):
    """What an instrumented agent leaves behind: an agent span, a model span, spans of tools."""
    about = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper"}
    with tracer.start_as_current_span("invoke_agent helper", attributes=about) as root:
        with tracer.start_as_current_span("chat m", attributes={"gen_ai.operation.name": "chat"}) as model:
            model.set_attribute("gen_ai.input.messages", messages("user", question))
            model.set_attribute("gen_ai.output.messages", messages("assistant", answer))
        for number in range(tools):
            call = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "look",
                "gen_ai.tool.call.id": f"c{number}",
            }
            with tracer.start_as_current_span("execute_tool look", attributes=call) as tool:
                tool.set_attribute("gen_ai.tool.call.arguments", json.dumps({"n": number}))
                tool.set_attribute("gen_ai.tool.call.result", "ok")
        root.set_attribute("gen_ai.input.messages", messages("user", question))
        root.set_attribute("gen_ai.output.messages", messages("assistant", answer))


def test_a_trace_is_scored_when_its_root_has_ended():
    tracer, processor, results = pipeline(TOOLS, ANSWER)
    agent(tracer)
    assert processor.force_flush()
    found = {one.result.scorer["id"]: one.result for one in results}
    assert {name: (result.status, result.error) for name, result in found.items()} == {
        "tools": ("scored", None),
        "answer": ("scored", None),
    }
    assert found["tools"].score == 2
    assert found["answer"].score == pytest.approx(len("Sunny.") + len("Weather?") / 100)
    assert all(len(one.trace_id) == 32 and len(one.span_id) == 16 for one in results)
    processor.shutdown()


def test_a_trace_without_an_agent_is_a_counted_failure_and_disturbs_nobody():
    tracer, processor, _ = pipeline(TOOLS)
    with tracer.start_as_current_span("GET /"):
        pass
    processor.shutdown()
    health = processor.health["tools"]
    assert (health.triggered, health.failed) == (1, 1)
    assert health.last_error


def test_sampling_takes_whole_traces_and_the_same_for_all_scorers():
    tracer, processor, results = pipeline(TOOLS, ANSWER, sampling=0.5)
    for _ in range(60):
        agent(tracer, tools=0)
    processor.shutdown()
    by_scorer = {}
    for one in results:
        by_scorer.setdefault(one.result.scorer["id"], set()).add(one.trace_id)
    assert by_scorer["tools"] == by_scorer["answer"]
    assert 10 < len(by_scorer["tools"]) < 50


def test_a_filter_sees_the_entity():
    tracer, processor, results = pipeline(TOOLS, filter="entity.name == 'other'")
    agent(tracer)
    processor.shutdown()
    assert results == []
    assert processor.health["tools"].failed == 0


def test_unfinished_traces_are_bounded_and_the_oldest_is_given_up():
    tracer, processor, _ = pipeline(TOOLS, max_spans=50)
    roots = [tracer.start_span(f"root {number}") for number in range(100)]
    from opentelemetry.trace import set_span_in_context

    for root in roots:
        tracer.start_span("inner", context=set_span_in_context(root)).end()
    assert processor._held <= 50
    assert processor.health["tools"].dropped == 50
    processor.shutdown()


def test_a_full_queue_drops_traces_and_counts_them():
    tracer, processor, _ = pipeline(TOOLS, max_waiting=5)
    processor.background._thread = object()  # nobody takes anything out
    for _ in range(20):
        agent(tracer, tools=0)
    assert processor.health["tools"].dropped == 15
    processor.background._thread = None
