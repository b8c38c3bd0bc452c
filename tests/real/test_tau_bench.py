"""tau-bench airline: tool calls out of conversations, and how far scorers of them agree with the reward."""

import json
import shutil

import pytest

from tests.real.conftest import SCORERS, rows

WRITING = [
    *("book_reservation", "cancel_reservation", "send_certificate"),
    *("update_reservation_baggages", "update_reservation_flights", "update_reservation_passengers"),
]
NAMES, WRITES, EXACTLY = ("-p", "namesOnly=true"), ("-p", f"onlySteps={json.dumps(WRITING)}"), ("-p", "exactly=true")
AGREEMENTS = {
    "expected names called": (NAMES, 0.65, 0.3153),
    "expected calls with equal args": ((), 0.77, 0.5216),
    "write-call names equal": ((*WRITES, *EXACTLY, *NAMES), 0.865, 0.7269),
    "write calls equal": ((*WRITES, *EXACTLY), 0.935, 0.865),
}
"""What is looked at → params, and the published agreement with the reward: the share of equal verdicts, and kappa."""


@pytest.fixture
def scorer(data, tmp_path):
    """A copy of a scorer beside its data."""

    def beside(name, file):
        for source in (SCORERS / name, data / file):
            shutil.copy(source, tmp_path)
        return tmp_path / name

    return beside


def kappa(pairs):
    """Cohen's kappa of pairs of true and false."""
    agreed = sum(one == two for one, two in pairs) / len(pairs)
    first, second = (sum(verdicts) / len(pairs) for verdicts in zip(*pairs, strict=True))
    chance = first * second + (1 - first) * (1 - second)
    return (agreed - chance) / (1 - chance)


def test_the_calls_of_all_conversations_are_those_that_were_made(data, summary, scorer):
    file = scorer("tau-calls.yaml", "tau_airline_runs.jsonl")
    conversations = len(rows(data / "tau_airline_runs.jsonl"))
    made = {row["runId"]: row["actualCalls"] for row in rows(data / "tau_airline_rewards.jsonl")}
    code, counted, results = summary(file)
    assert (code, counted["scored"], counted["failed"]) == (0, conversations, 0)
    assert conversations >= 96
    for row in results:
        calls = [{"name": call["toolName"], "args": call["args"]} for call in row["preprocessStepResult"]]
        assert calls == made[row["runId"]]
        assert row["score"] == len(calls)


@pytest.mark.parametrize("looked_at", AGREEMENTS)
def test_a_scorer_of_calls_agrees_so_far_with_the_reward(looked_at, data, summary, scorer):
    params, agreement, kappa_ = AGREEMENTS[looked_at]
    rewards = {row["runId"]: row["reward"] == 1 for row in rows(data / "tau_airline_rewards.jsonl")}
    code, found, results = summary(scorer("tau-expected-calls.yaml", "tau_airline_rewards.jsonl"), *params)
    assert (code, found["scored"]) == (0, 200)
    pairs = [(row["score"] == 1, rewards[row["runId"]]) for row in results]
    assert round(sum(one == two for one, two in pairs) / 200, 4) == agreement
    assert round(kappa(pairs), 4) == kappa_


@pytest.mark.parametrize("looked_at", AGREEMENTS)
def test_conversations_get_the_verdict_of_their_calls(looked_at, data, summary, scorer, tmp_path):
    params, _, _ = AGREEMENTS[looked_at]
    file = scorer("tau-expected-calls.yaml", "tau_airline_rewards.jsonl")
    by_calls = {row["runId"]: row["score"] for row in summary(file, *params)[2]}
    expected = {row["runId"]: row["expectedCalls"] for row in rows(data / "tau_airline_rewards.jsonl")}
    talks = [
        {"runId": row["runId"], "actualCalls": row["output"], "expectedCalls": expected[row["runId"]]}
        for row in rows(data / "tau_airline_runs.jsonl")
    ]
    (tmp_path / "tau_airline_rewards.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in talks))
    code, _, results = summary(file, *params)
    assert (code, len(results)) == (0, len(talks))
    assert {row["runId"]: row["score"] for row in results} == {row["runId"]: by_calls[row["runId"]] for row in talks}


def test_a_missing_call_is_named(summary, scorer):
    results = summary(scorer("tau-expected-calls.yaml", "tau_airline_rewards.jsonl"), *NAMES)[2]
    missing = [row["preprocessStepResult"]["comparison"]["missingSteps"] for row in results]
    assert [bool(names) for names in missing] == [row["score"] == 0 for row in results]
    assert "send_certificate" in {name for names in missing for name in names}


@pytest.mark.parametrize("name", ["tool-call-accuracy-code", "trajectory", "trajectory-accuracy-code", "checks/called-tool",
    "checks/did-not-call", "checks/max-tool-calls", "checks/no-tool-errors", "checks/tool-order", "checks/used-no-tools"])  # fmt: skip
def test_every_tool_scorer_of_the_library_reads_the_conversations(name, data, summary):
    params = {
        "tool-call-accuracy-code": ["expectedTool=get_user_details"],
        "trajectory": ['defaults={"maxSteps": 20, "noRedundantCalls": true}'],
        "trajectory-accuracy-code": ['expectedTrajectory=[{"name": "get_user_details"}]'],
        "checks/called-tool": ["name=get_user_details"],
        "checks/did-not-call": ["name=send_certificate"],
        "checks/max-tool-calls": ["max=10"],
        "checks/tool-order": ['names=["get_user_details", "get_reservation_details"]'],
    }.get(name, [])
    made = {row["runId"]: row["actualCalls"] for row in rows(data / "tau_airline_rewards.jsonl")}
    code, found, results = summary(
        name,
        *("--data", data / "tau_airline_runs.jsonl", "--map", "input=input.task", "--map", "groundTruth=groundTruth"),
        *(word for param in params for word in ("-p", param)),
    )
    assert (code, found["scored"], found["failed"]) == (0, 96, 0)
    names = {key: [call["name"] for call in calls] for key, calls in made.items()}
    for row in results:
        of = names[row["runId"]]
        if name in ("tool-call-accuracy-code", "trajectory-accuracy-code", "checks/called-tool"):
            assert row["score"] == ("get_user_details" in of)
        if name == "checks/did-not-call":
            assert row["score"] == ("send_certificate" not in of)
        if name == "checks/max-tool-calls":
            assert row["score"] == (len(of) <= 10)
        if name == "checks/used-no-tools":
            assert row["score"] == (not of)
