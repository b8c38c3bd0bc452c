"""tau-bench airline: tool calls out of conversations, and what counting them says about the reward."""

import shutil

import pytest

from tests.real.conftest import SCORERS, rows

ROWS = ("--map", "output=actualCalls", "--map", "groundTruth=expectedCalls")


def test_the_calls_of_all_conversations_are_those_that_were_made(data, summary, tmp_path):
    for file in (SCORERS / "tau-calls.yaml", data / "tau_airline_runs.jsonl"):
        shutil.copy(file, tmp_path)
    conversations = len(rows(data / "tau_airline_runs.jsonl"))
    made = {row["runId"]: row["actualCalls"] for row in rows(data / "tau_airline_rewards.jsonl")}
    code, counted, results = summary(tmp_path / "tau-calls.yaml")
    assert (code, counted["scored"], counted["failed"]) == (0, conversations, 0)
    assert conversations >= 96
    for row in results:
        calls = [{"name": call["toolName"], "args": call["args"]} for call in row["preprocessStepResult"]]
        assert calls == made[row["runId"]]
        assert row["score"] == len(calls)


@pytest.mark.parametrize(("compare", "agreement"), [("names", 0.650), ("arguments", 0.770)])
def test_a_scorer_of_calls_agrees_so_often_with_the_reward(compare, agreement, data, summary):
    scorer, records = SCORERS / "tau-expected-calls.yaml", data / "tau_airline_rewards.jsonl"
    settings = "--data", records, *ROWS, "-p", f"compare={compare}"
    code, found, _ = summary(scorer, *settings, "-p", "measure=agreement")
    assert (code, found["scored"]) == (0, 200)
    assert found["mean"] == agreement
    made = summary(scorer, *settings)[2]
    rewards = [row["metadata"]["reward"] for row in made]
    assert sum(row["score"] == reward for row, reward in zip(made, rewards, strict=True)) == round(agreement * 200)


def test_a_missing_call_is_named(data, summary):
    records = data / "tau_airline_rewards.jsonl"
    results = summary(SCORERS / "tau-expected-calls.yaml", "--data", records, *ROWS)[2]
    assert all(bool(row["preprocessStepResult"]) == (row["score"] == 0) for row in results)
    assert "send_certificate" in {name for row in results for name in row["preprocessStepResult"]}
