"""The message helpers against what the reference answers (repairs aside): inputs and outputs only."""

import json
import re
from pathlib import Path

import pytest

from scorerkit import functions
from scorerkit.functions.conversation import text_of

ROWS = [json.loads(line) for line in (Path(__file__).parent / "vectors/messages.jsonl").read_text("utf-8").splitlines()]
CALLED_WITHOUT_OPTIONS = {
    "getAssistantMessageFromRunOutput": functions.assistant_message,
    "getCombinedSystemPrompt": functions.system_prompt,
    "getReasoningFromRunOutput": functions.reasoning,
    "getTextContentFromMastraDBMessage": text_of,
    "getUserMessageFromRunInput": functions.user_message,
    "extractAgentResponseMessages": functions.assistant_messages,
    "extractToolResults": functions.tool_results,
    "extractTrajectory": functions.trajectory,
}
NEW_IN_CALLS = ("args", "state")


def plain(value):
    return None if value == {"$undefined": True} else value


def wanted(row):
    """What the reference gives, an absent text as '', or its repair; None where nothing is fixed."""
    if row.get("repaired"):
        return plain(row["expectedRepaired"]["value"]) if "expectedRepaired" in row else None
    value = plain(row["expected"]["value"])
    return "" if value is None else value


def rows_of(*names):
    return [pytest.param(row, id=row["id"]) for row in ROWS if row["function"] in names]


@pytest.mark.parametrize("row", rows_of(*CALLED_WITHOUT_OPTIONS))
def test_a_helper_answers_as_the_reference(row):
    answer = CALLED_WITHOUT_OPTIONS[row["function"]](plain(row["run"]["args"][0]))
    if wanted(row) is None:
        assert answer != row["expected"]["value"]
    else:
        assert answer == wanted(row)


@pytest.mark.parametrize("row", rows_of("getConversationHistoryFromRunInput"))
def test_the_conversation_is_told_as_the_reference_tells_it(row):
    value, *options = row["run"]["args"]
    limit = options[0]["maxMessages"] if options else 10
    assert functions.conversation(plain(value), limit) == wanted(row)


@pytest.mark.parametrize("row", rows_of("extractToolCalls"))
def test_the_reference_finds_the_same_calls(row):
    calls = functions.tool_calls(row["run"]["args"][0])
    infos = [{key: value for key, value in call.items() if key not in NEW_IN_CALLS} for call in calls]
    assert infos == wanted(row)["toolCallInfos"]


@pytest.mark.parametrize("row", rows_of("extractWorkflowTrajectory"))
def test_a_workflow_takes_the_steps_of_the_reference(row):
    given = dict(zip(("stepResults", "stepExecutionPath"), row["run"]["args"], strict=False))
    assert functions.trajectory(given) == wanted(row)


@pytest.mark.parametrize("row", rows_of("roundToTwoDecimals"))
def test_two_digits_are_rounded_as_the_reference_rounds(row):
    assert functions.round(row["run"]["args"][0], 2) == wanted(row)


def spelled(options):
    """Options in camelCase as arguments of the functions."""
    return {re.sub("([A-Z])", lambda found: f"_{found[1].lower()}", key): value for key, value in options.items()}


def told(work):
    """What a function answers in the form of a vector: a value, or that it failed."""
    try:
        return {"value": work()}
    except ValueError:
        return {"error": True}


def expected_of(row):
    found = row.get("expectedRepaired") or row["expected"]
    return {"error": True} if "error" in found else found


TRAJECTORIES = {
    "compareTrajectories": lambda one, two, options=None: functions.compare_trajectories(
        one, two, **spelled(options or {})
    ),
    "checkTrajectoryEfficiency": lambda value, options: functions.trajectory_efficiency(value, **spelled(options)),
    "checkTrajectoryBlacklist": lambda value, options: functions.trajectory_blacklist(
        value, options.get("blacklistedTools"), options.get("blacklistedSequences")
    ),
    "analyzeToolFailures": lambda value, options: functions.tool_failures(value, **spelled(options)),
    "extractTrajectoryFromTrace": lambda spans, root=None: (
        functions.trajectory(spans, root) if spans else {"steps": []}
    ),
}


@pytest.mark.parametrize("row", rows_of(*TRAJECTORIES))
def test_trajectories_are_made_and_judged_as_the_reference_does(row):
    assert told(lambda: TRAJECTORIES[row["function"]](*row["run"]["args"])) == expected_of(row)
