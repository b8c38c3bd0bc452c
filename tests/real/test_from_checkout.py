"""Small made-up repositories in the form of the published ones; the texts are invented."""

import json

import pytest

from tests.real.conftest import SCORERS, rows
from tests.real.from_checkout import LLMBAR_JUDGES, LLMBAR_SUBSETS, convert
from tests.real.recordings_of import write


def put(file, value):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))


@pytest.fixture
def llmbar(tmp_path):
    pair = {"input": "Say hi.", "output_1": "hi", "output_2": "bye", "label": 1}
    said = {
        "swap = False": {"completion": ["Output (a)", "stop"], "winner": "1"},
        "swap = True": {"completion": ["Output (b)", "stop"], "winner": "1"},
    }
    rated = {"score_1": ["7", "stop"], "score_2": ["", "length"], "swap = False": {"winner": "1"}}
    for subset in LLMBAR_SUBSETS:
        folder = tmp_path / "Dataset" / "LLMBar" / subset
        put(folder / "dataset.json", [pair])
        for judge in LLMBAR_JUDGES:
            results = (
                [["1. Is it a greeting?", "stop"], said]
                if "Metrics" in judge
                else [rated if "Rating" in judge else said]
            )
            put(folder / "evaluators" / judge / "result.json", [{**pair, "results": results}])
            put(folder / "evaluators" / judge / "statistics.json", {"correct_average": "100.0%"})
    return tmp_path


def test_a_checkout_of_llmbar_becomes_records_that_can_be_scored(llmbar, tmp_path, summary):
    runs, expected = convert("llmbar", llmbar, tmp_path / "records")
    assert [row["runId"] for row in rows(runs)][:2] == ["llmbar-natural-0", "llmbar-neighbor-0"]
    assert len(rows(expected)) == 30
    recorded = rows(runs)[0]["metadata"]["recorded"]
    assert recorded["GPT-4/Metrics_Reference"] == {"ab": "Output (a)", "ba": "Output (b)"}
    assert recorded["GPT-4/Rating"] == {"score_1": "7", "score_2": ""}
    recording = write(runs, "GPT-4/Vanilla", tmp_path / "recording.jsonl")
    code, found, _ = summary(SCORERS / "llmbar-direct.yaml", "--data", runs, "--replay", recording)
    assert (code, found["scored"], found["mean"]) == (0, 5, 1)


def test_a_checkout_of_tau_bench_becomes_conversations_and_calls(tmp_path):
    call = {"id": "c1", "type": "function", "function": {"name": "book", "arguments": '{"seat": 1}'}}
    found = {
        "task_id": 3,
        "trial": 1,
        "reward": 1.0,
        "info": {"task": {"instruction": "Book.", "actions": [{"name": "book", "kwargs": {"seat": 1}}], "outputs": []}},
        "traj": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "A seat."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
        ],
    }
    put(tmp_path / "historical_trajectories" / "gpt-4o-airline.json", [found])
    runs, rewards = convert("tau", tmp_path, tmp_path)
    (run,), (reward,) = rows(runs), rows(rewards)
    assert run["runId"] == reward["runId"] == "tau-airline-3-1"
    assert [message["role"] for message in run["output"]] == ["user", "assistant"]
    assert reward["expectedCalls"] == reward["actualCalls"] == [{"name": "book", "args": {"seat": 1}}]


def test_a_checkout_of_pandalm_becomes_pairs_with_the_majority(tmp_path):
    pair = {
        "idx": 0,
        "instruction": "Say hi.",
        "input": float("nan"),
        "response1": "hi",
        "response2": "bye",
        **{f"annotator{number}": vote for number, vote in ((1, 2), (2, 1), (3, 1))},
    }
    put(tmp_path / "data" / "testset-v1.json", [pair])
    for judge, prefix in (("gpt-3.5-turbo", "gpt"), ("pandalm-7b", "pandalm")):
        said = {"idx": 0, f"{prefix}_result": "garbage", f"{prefix}_reason": float("nan")}
        put(tmp_path / "data" / f"{judge}-testset-v1.json", [said])
    (run,) = rows(convert("pandalm", tmp_path, tmp_path)[0])
    assert (run["groundTruth"], run["input"]["input"]) == (1, "")
    assert run["metadata"]["recorded"]["gpt-3.5-turbo"] == {"verdict": "garbage", "reason": ""}
