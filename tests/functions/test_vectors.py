"""The message helpers against what the reference answers (repairs aside): inputs and outputs only."""

import json
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
