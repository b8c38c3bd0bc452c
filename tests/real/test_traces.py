"""Real traces and transcripts: what comes out is what an independent count of the raw file finds."""

import json

import pytest

from scorerkit import functions as f
from scorerkit.dataset import open_dataset
from scorerkit.messages import to_agent_run
from scorerkit.model.run import ScorerRun
from scorerkit.traces.run import as_agent, as_trajectory
from tests.real.conftest import rows

NAMES = {
    "any_agent": "agno google langchain llama_index openai smolagents tinyagent",
    "langfuse": "autogen-2025-06-06 google-adk-2025-08-28 google-vertex-tools-langchain-2025-09-19 koog-2025-08-26 "
    "langgraph-2025-08-22 llamaindex-2025-06-05 microsoft-agent-2025-10-14 openai-agents-2025-09-30 "
    "openai-assistants-2024-05-29 pydantic-ai-tools-2025-12-04",
    "mastra": "agent_tool_call.snapshot",
    "openinference": "google_adk.spans openai_agents.spans",
    "otlp": "any_agent_langchain.otlp any_agent_llama_index.otlp any_agent_openai.otlp any_agent_openai.protojson",
}
FILES = [f"{folder}/{name}.json" for folder, names in NAMES.items() for name in names.split()]
EXPECTED = [file for file in FILES if file.startswith(("any_agent", "langfuse"))]
UNTYPED_TOOLS = {"langfuse/koog-2025-08-26.json": 2, "langfuse/langgraph-2025-08-22.json": 1}
"""Tools that Langfuse has as plain spans: they are found by their attributes or by what they answered."""


def only_record(file):
    dataset = open_dataset(str(file))
    [record] = list(dataset)
    assert (dataset.total, record.error) == (1, None)
    return record.run


@pytest.fixture
def expected(data):
    return {row["trace"]: row for row in rows(data / "traces/expected.jsonl")}


def test_every_file_is_looked_at(data, expected):
    found = {str(file.relative_to(data / "traces")) for file in (data / "traces").glob("*/*.json")}
    assert found == set(FILES)
    assert set(expected) == set(EXPECTED)


def counted(value):
    """(tool spans, those with a result) of a raw file, whatever the format, by looking for their marks."""
    found = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += [
                inner
                for key, inner in item.items()
                if key in {"spans", "span", "children", "observations", "resourceSpans", "scopeSpans"}
            ]
            text = json.dumps({key: item[key] for key in ("attributes", "metadata") if key in item})
            marks = ('"gen_ai.tool.name"', '"openinference.span.kind": "TOOL"')
            langchain = isinstance(item.get("output"), dict) and item["output"].get("type") == "tool"
            if item.get("type") in {"TOOL", "tool_call"} or langchain or any(mark in text for mark in marks):
                found.append(item)
    return len(found), sum("output" in item or "attributes" in item for item in found)


@pytest.mark.parametrize("file", FILES)
def test_calls_and_results_are_as_many_as_the_raw_file_has(file, data):
    calls, results = counted(json.loads((data / "traces" / file).read_text("utf-8")))
    run = as_agent(only_record(data / "traces" / file))
    known = [call for call in f.tool_calls(run.output) if call["state"] != "call"]
    assert (len(known), len(f.tool_results(run.output))) == (calls, results)


def first_model_messages(value):
    """The messages that the first model span was told, counted by the keys that hold them."""
    for span in value if isinstance(value, list) else value.get("spans") or value.get("observations") or []:
        attributes = span.get("attributes") or {}
        if "gen_ai.input.messages" in attributes:
            return len(json.loads(attributes["gen_ai.input.messages"]))
    return None


@pytest.mark.parametrize("file", [file for file in FILES if file.startswith("any_agent")])
def test_all_messages_of_the_first_model_come_out(file, data):
    told = first_model_messages(json.loads((data / "traces" / file).read_text("utf-8")))
    given = as_agent(only_record(data / "traces" / file)).input
    assert sum(len(given[key]) for key in ("systemMessages", "rememberedMessages", "inputMessages")) == told == 2


@pytest.mark.parametrize("file", EXPECTED)
def test_what_an_importer_must_get_comes_out(file, data, expected):
    row = expected[file]
    run = only_record(data / "traces" / file)
    agent, steps = as_agent(run), flat_steps(as_trajectory(run).output["steps"])
    calls = [call for call in f.tool_calls(agent.output) if call["state"] != "call"]
    models = [step for step in steps if step["stepType"] == "model_generation"]
    assert len(models) == row.get("llmCalls", row.get("generations"))
    if "observations" in row:
        names = sorted(name.split()[-1] for name in row["tools"])
        assert sorted(call["toolName"] for call in calls) == names or len(calls) == UNTYPED_TOOLS[file]
        assert [(score["name"], score["value"]) for score in run.metadata.get("scores", [])] == [
            (score["name"], score["value"]) for score in row["recordedScores"]
        ]
        return
    assert f.user_message(agent.input) == row["userInput"][0]
    assert [[call["toolName"], call["args"], "ok"] for call in calls] == row["tools"]
    assert sum(call["state"] == "output-error" for call in calls) == row["toolErrors"]
    assert json.loads(f.assistant_message(agent.output)) == row["finalOutput"]
    assert sum(step["promptTokens"] for step in models) == row["inputTokens"]
    assert sum(step["completionTokens"] for step in models) == row["outputTokens"]


def flat_steps(steps):
    return [inner for step in steps for inner in (step, *flat_steps(step.get("children", [])))]


@pytest.mark.parametrize("file", FILES)
def test_every_trace_has_a_question_and_an_answer(file, data):
    run = as_agent(only_record(data / "traces" / file))
    assert f.user_message(run.input)
    assert f.assistant_message(run.output)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("any_agent/openai", "otlp/any_agent_openai.otlp"),
        ("any_agent/langchain", "otlp/any_agent_langchain.otlp"),
        ("any_agent/llama_index", "otlp/any_agent_llama_index.otlp"),
        ("otlp/any_agent_openai.otlp", "otlp/any_agent_openai.protojson"),
    ],
)
def test_the_same_trace_in_two_formats_is_the_same_run(one, two, data):
    first, second = (only_record(data / "traces" / f"{name}.json") for name in (one, two))
    assert first.run_id == second.run_id
    assert as_agent(first)[:2] == as_agent(second)[:2]
    assert as_trajectory(first).output == as_trajectory(second).output


def test_a_transcript_keeps_every_message_call_and_result(data):
    records = rows(data / "tau_airline_runs.jsonl")
    for record in records:
        said = [message for message in record["output"] if message["role"] != "tool"]
        made = to_agent_run(ScorerRun(output=record["output"])).output
        answered = len(record["output"]) - len(said)
        called = sum(len(message.get("tool_calls") or []) for message in said)
        assert len(made) == len(said)
        assert (len(f.tool_calls(made)), len(f.tool_results(made))) == (called, answered)
    assert len(records) >= 96
