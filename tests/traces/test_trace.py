import pytest
from trace_builders import agent_trace, document, mastra, otlp

from scorerkit.traces.formats import mastra as form
from scorerkit.traces.trace import Trace

BROKEN = [
    (agent_trace(mastra("a", "ghost", "tool_call", 2)), ("'a'", "'ghost'")),
    (agent_trace(parentSpanId="browser"), ("no root span", "'browser'")),
    ([mastra("a", "b"), mastra("b", "a")], ("no root span",)),
    (agent_trace(mastra("a", "b", "tool_call"), mastra("b", "a", "tool_call")), ("own ancestors",)),
    (agent_trace(answer=None)[1:], ("'root'",)),
]


@pytest.mark.parametrize(("spans", "words"), BROKEN)
def test_a_broken_trace_is_one_failed_record_with_its_reason(told, spans, words):
    made = told("mastra", spans)
    assert (made.error.code, made.run.run_id, made.run.metadata["traceId"]) == ("bad-record", "t", "t")
    assert all(word in made.error.message for word in words)


def test_a_root_without_output_was_cut_off(told):
    spans = agent_trace()
    spans[0]["output"] = None
    error = told("mastra", spans).error
    assert (error.code, "no output" in error.message) == ("bad-record", True)


def test_an_otlp_trace_in_which_nothing_was_said_has_no_output(told):
    made = told("otlp", document(otlp(1, gen_ai__operation__name="invoke_agent"), otlp(2, 1, 1)))
    assert (made.error.code, "no output" in made.error.message) == ("bad-record", True)


def test_a_span_that_was_sent_twice_counts_once():
    spans = agent_trace(mastra("a", "root", "tool_call", 2, output=1), mastra("a", "root", "tool_call", 2, output=2))
    trace = Trace(form, list(form.raws(spans)))
    assert [span.output for span in trace.under(None) if span.kind == "tool"] == [2]


def test_long_chains_of_spans_are_walked_without_recursion(told):
    spans = agent_trace(*(mastra(f"s{n}", f"s{n - 1}" if n else "root", "workflow_step", 1) for n in range(5000)))
    made = told("mastra", spans)
    assert made.error is None
    made.run.teller.trajectory()
    made.run.teller.agent()
