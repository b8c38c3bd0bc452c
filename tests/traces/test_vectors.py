"""Traces as the reference turns them into runs (repairs aside): inputs and outputs only."""

import json
from pathlib import Path

import pytest

from scorerkit import functions as f
from scorerkit.errors import RecordError
from scorerkit.functions.conversation import text_of
from scorerkit.traces.formats import mastra
from scorerkit.traces.run import as_agent, record_of_trace, records_of_spans
from scorerkit.traces.trace import Trace

ROWS = [json.loads(line) for line in (Path(__file__).parent / "vectors/traces.jsonl").read_text("utf-8").splitlines()]
OWN_WAY = {"trace-target-015"}
"""A root may leave its parent out; the reference wants a null there."""
AGENTS = [
    row
    for row in ROWS
    if row["params"].get("scorerType") == "agent" and "spanId" not in row["params"] and row["id"] not in OWN_WAY
]
SPANS = [row for row in ROWS if "scorerType" not in row["params"]]
BARE = {"trace-017"}
"""The names of tools are bare, also of those without an id; the reference calls these 'unknown'."""


def record(row):
    try:
        return record_of_trace(Trace(mastra, list(mastra.raws(row["run"]["trace"]))))
    except RecordError as error:
        return error


def texts(messages):
    return [(message["role"], text_of(message)) for message in messages]


def calls(messages):
    return [(call["toolCallId"], call["toolName"], call["args"]) for call in f.tool_calls(messages)]


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{row['id']}-{row['feature']}") for row in AGENTS])
def test_an_agent_gets_what_the_reference_gives_it(row):
    made = record(row)
    if "error" in row["expected"]:
        error = made if isinstance(made, RecordError) else made.error
        if error is None:
            with pytest.raises(RecordError) as caught:
                as_agent(made.run)
            error = caught.value
        assert error.code == "bad-record"
        return
    run, expected = as_agent(made.run), row["expected"]
    repaired = row.get("expectedRepaired") or {}
    for key in ("inputMessages", "rememberedMessages"):
        if not row.get("repaired") or repaired:
            assert texts(run.input[key]) == texts(expected["input"][key])
    if "toolNames" in repaired:
        assert [name for _, name, _ in calls(run.output)] == repaired["toolNames"]
    elif row["id"] not in BARE and not row.get("repaired"):
        assert run.input["systemMessages"] == expected["input"]["systemMessages"]
        assert calls(run.output) == calls(expected["output"])
    assert f.assistant_message(run.output) == f.assistant_message(expected["output"])


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{row['id']}-{row['feature']}") for row in SPANS])
def test_another_scorer_gets_the_span_itself(row):
    wanted = row["params"].get("spanId")
    trace = Trace(mastra, list(mastra.raws(row["run"]["trace"])))
    made = [record_of_trace(trace)] if wanted is None else [*records_of_spans(trace, "tool")]
    found = [each.run for each in made if wanted is None or each.run.metadata["spanId"] == wanted]
    if "error" in row["expected"]:
        assert found == []
    else:
        assert (found[0].input, found[0].output) == (row["expected"]["input"], row["expected"]["output"])


def test_names_from_traces_are_bare():
    [row] = [row for row in AGENTS if row["id"] in BARE]
    assert [name for _, name, _ in calls(as_agent(record(row).run).output)] == ["id-only", "t2"]


def test_text_parts_are_joined():
    [row] = [row for row in AGENTS if row["feature"] == "system-array"]
    assert as_agent(record(row).run).input["systemMessages"] == [{"role": "system", "content": "s1\ns2"}]


def test_all_tool_calls_under_the_agent_are_kept_in_time_order():
    rows = [row for row in AGENTS if "toolNames" in (row.get("expectedRepaired") or {})]
    assert len(rows) >= 2
    for row in rows:
        made = as_agent(record(row).run).output
        assert [call["toolName"] for call in f.tool_calls(made)] == row["expectedRepaired"]["toolNames"]
