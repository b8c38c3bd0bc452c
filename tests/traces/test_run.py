import pytest
from trace_builders import agent_trace, document, mastra, otlp

from scorerkit import functions as f
from scorerkit.errors import RecordError
from scorerkit.traces.formats import mastra as form
from scorerkit.traces.formats import otlp as otlp_form
from scorerkit.traces.run import as_agent, as_trajectory, record_of_session, record_of_trace, records_of_spans, telling
from scorerkit.traces.trace import Trace

SUB = (
    mastra("sub", "root", "agent_run", 3, input="Find a hotel", output={"text": "Found."}),
    mastra("inner", "sub", "model_generation", 4, output={"text": "Found."}),
    mastra("b", "sub", "tool_call", 5, entityName="hotels", input={"q": 2}, output={"n": 1}),
)


def trace_of(spans):
    return Trace(form, list(form.raws(spans)))


@pytest.mark.parametrize(
    ("kind", "ids"), [("agent", ["t:root", "t:sub"]), ("tool", ["t:b"]), ("llm", ["t:model", "t:inner"])]
)
def test_one_record_per_span_of_a_kind(kind, ids):
    made = list(records_of_spans(trace_of(agent_trace(*SUB)), kind))
    assert [each.run.run_id for each in made] == ids
    assert [each.run.metadata["spanId"] for each in made] == [each.partition(":")[2] for each in ids]


def test_a_span_has_its_own_input_and_output_and_what_hangs_under_it():
    made = list(records_of_spans(trace_of(agent_trace(*SUB)), "agent"))[1].run
    assert (made.input, made.output) == ("Find a hotel", {"text": "Found."})
    run = as_agent(made)
    assert (f.user_message(run.input), f.assistant_message(run.output)) == ("Find a hotel", "Found.")
    assert [call["toolName"] for call in f.tool_calls(run.output)] == ["hotels"]
    assert [step["name"] for step in as_trajectory(made).output["steps"]] == ["model_generation", "hotels"]


def test_a_broken_trace_is_one_failed_record_whatever_the_kind():
    made = list(records_of_spans(trace_of(agent_trace(mastra("a", "ghost", "tool_call"))), "tool"))
    assert [(each.run.run_id, each.error.code) for each in made] == [("t", "bad-record")]


def test_a_session_is_a_conversation():
    turns = [
        trace_of(agent_trace(*SUB, question=f"q{n}", answer=f"a{n}", trace=f"t{n}", metadata={"sessionId": "s"}))
        for n in (1, 2)
    ]
    made = record_of_session("s", turns).run
    assert (made.run_id, made.input, made.output) == ("s", ["q1", "q2"], [{"text": "a1"}, {"text": "a2"}])
    assert made.metadata == {"traceId": ["t1", "t2"], "sessionId": "s"}
    run = as_agent(made)
    assert [message["content"]["parts"][0]["text"] for message in run.input["inputMessages"]] == ["q1", "q2"]
    assert [text for text in f.assistant_messages(run.output) if text] == ["a1", "a2"]
    assert len(f.tool_calls(run.output)) == 2
    assert [step["name"] for step in as_trajectory(made).output["steps"]].count("agent_run") == 2


def test_one_broken_trace_fails_its_session():
    turns = [trace_of(agent_trace(trace="t1")), trace_of(agent_trace(mastra("a", "ghost", "tool_call"), trace="t2"))]
    made = record_of_session("s", turns)
    assert (made.run.run_id, made.error.code) == ("s", "bad-record")


def test_a_workflow_is_no_agent_for_a_strict_format():
    made = record_of_trace(trace_of([mastra("w", None, "workflow_run", output=1), *agent_trace(parentSpanId="w")]))
    assert made.error is None
    with pytest.raises(RecordError, match="no agent"):
        as_agent(made.run)


def test_the_only_agent_below_another_root_is_the_agent():
    spans = document(
        otlp(1, None, 0, http__route="/chat"),
        otlp(2, 1, 1, gen_ai__operation__name="invoke_agent", input="q", output="a"),
        otlp(3, 2, 2, gen_ai__tool__name="search"),
    )
    made = record_of_trace(Trace(otlp_form, list(otlp_form.raws(spans))))
    run = as_agent(made.run)
    assert (made.run.input, made.run.output) == ("q", "a")
    assert (f.user_message(run.input), f.assistant_message(run.output)) == ("q", "a")


def test_what_nested_agents_said_is_not_the_answer():
    said = '[{"role": "assistant", "parts": [{"type": "text", "content": "%s"}]}]'
    chat = {"gen_ai__operation__name": "chat", "gen_ai__request__model": "m"}
    spans = document(
        otlp(1, None, 0, gen_ai__operation__name="invoke_agent", input="q"),
        otlp(2, 1, 1, gen_ai__output__messages=said % "Outer.", **chat),
        otlp(3, 1, 2, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="sub"),
        otlp(4, 3, 3, gen_ai__output__messages=said % "Inner.", **chat),
    )
    run = as_agent(record_of_trace(Trace(otlp_form, list(otlp_form.raws(spans)))).run)
    assert f.assistant_messages(run.output) == ["Outer."]


def test_a_changed_run_still_tells_its_trace():
    run = record_of_trace(trace_of(agent_trace())).run
    changed = telling(run._replace(ground_truth="x"), run)
    assert as_agent(changed).ground_truth == "x"
    assert telling(as_agent(run), as_agent(run)) == as_agent(run)
