"""Traces through the command: recognised, told as records, failed one by one."""

import json

import pytest

AGENT = "id: calls\ndescription: Counts tool calls.\ntype: agent\nsteps:\n  generateScore:\n    expression: run.output | tool_calls | length\n"
STEPS = """
id: steps
description: Compares steps.
type: trajectory
steps:
  generateScore:
    expression: "compare_trajectories(run.output, [{'name': 'flights'}, {'name': 'hotels'}]).score"
"""
PLAIN = "id: plain\ndescription: Looks at the root.\nsteps:\n  generateScore:\n    expression: 1 if run.output.text == 'Booked.' else 0\n"


def span(own, parent, kind, second, trace="t1", **more):
    return {"traceId": trace, "spanId": own, "parentSpanId": parent, "spanType": kind, "name": kind, "startedAt": f"2026-01-01T00:00:0{second}Z",
            "endedAt": f"2026-01-01T00:00:0{second + 1}Z", **more}  # fmt: skip


def trip(trace="t1", session=None, parent="sub"):
    told = {"metadata": {"sessionId": session}} if session else {}
    return {"traceId": trace, "spans": [
        span("root", None, "agent_run", 0, trace, input="Plan a trip", output={"text": "Booked."}, **told),
        span("llm", "root", "model_generation", 1, trace, input={"messages": [{"role": "user", "content": "Plan a trip"}]}, output={"text": "Booked."}),
        span("a", "root", "tool_call", 2, trace, entityName="flights", input={}, output=1),
        span("sub", "root", "agent_run", 3, trace, input="x", output={"text": "y"}),
        span("b", parent, "tool_call", 4, trace, entityName="hotels", input={}, output=2),
    ]}  # fmt: skip


@pytest.fixture
def files(project):
    for name, text in (("agent.yaml", AGENT), ("plain.yaml", PLAIN)):
        (project / name).write_text(text)

    def write(*traces):
        (project / "traces.json").write_text(json.dumps(list(traces)))

    return write


def lines(said):
    return [json.loads(line) for line in said.out.splitlines() if line]


def test_a_file_of_traces_is_recognised_and_every_scorer_gets_its_shape(files, run):
    files(trip("t1"), trip("t2"))
    said = run("run", "agent.yaml", "plain.yaml", "--data", "traces.json", "--output", "-", "--quiet")
    assert said.exit == 0, said.err
    assert [(row["scorer"]["id"], row["runId"], row["score"]) for row in lines(said)] == [
        ("calls", "t1", 2), ("plain", "t1", 1), ("calls", "t2", 2), ("plain", "t2", 1),
    ]  # fmt: skip
    assert lines(said)[0]["metadata"] == {"traceId": "t1", "spanId": "root"}


def test_a_record_per_span_or_session(files, run):
    files(trip("t1", "s"), trip("t2", "s"))
    said = run("run", "agent.yaml", "--data", "traces.json", "--span-kind", "agent", "--output", "-", "--quiet")
    assert [(row["runId"], row["score"]) for row in lines(said)] == [
        ("t1:root", 2),
        ("t1:sub", 1),
        ("t2:root", 2),
        ("t2:sub", 1),
    ]
    said = run("run", "agent.yaml", "--data", "traces.json", "--by", "session", "--output", "-", "--quiet")
    assert [(row["runId"], row["score"]) for row in lines(said)] == [("s", 4)]


def test_a_broken_trace_is_a_failed_result_with_its_trace_id(files, run):
    files(trip("t1", parent="ghost"), trip("t2"))
    said = run("run", "agent.yaml", "--data", "traces.json", "--output", "-")
    assert said.exit == 3
    assert [(row["status"], row["metadata"]["traceId"]) for row in lines(said)] == [("failed", "t1"), ("scored", "t2")]
    assert "ghost" in said.err


def test_traces_of_another_format_are_refused(files, run):
    files(trip())
    said = run("run", "agent.yaml", "--data", "traces.json", "--data-format", "langfuse")
    assert (said.exit, "langfuse" in said.err) == (2, True)


def test_steps_of_traces_are_compared(files, project, run):
    (project / "steps.yaml").write_text(STEPS)
    files(trip())
    said = run("run", "steps.yaml", "--data", "traces.json", "--output", "-", "--quiet")
    assert (said.exit, [row["score"] for row in lines(said)]) == (0, [0.5]), said.err
