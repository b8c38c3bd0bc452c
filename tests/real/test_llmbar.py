"""LLMBar: every setting of the paper whose answers are in the records, to the digits that were printed."""

from itertools import product

import pytest

from tests.real.conftest import SCORERS, rows
from tests.real.recordings_of import write

SUBSETS = ("Natural", "Adversarial/Neighbor", "Adversarial/GPTInst", "Adversarial/GPTOut", "Adversarial/Manual")
SCORER_OF = {
    "GPT-4/Vanilla": "llmbar-direct",
    "GPT-4/Metrics_Reference": "llmbar-direct",
    "ChatGPT/Vanilla": "llmbar-direct",
    "GPT-4/CoT": "llmbar-reasoned",
    "ChatGPT/CoT": "llmbar-reasoned",
    "GPT-4/Rating": "llmbar-rating",
}
"""Judge → the scorer that reads its kind of answer."""


@pytest.fixture(scope="module")
def records(data):
    return data / "llmbar_runs.jsonl"


@pytest.fixture(scope="module")
def recording(records, tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")

    def of(judge):
        target = folder / f"{judge.replace('/', '-')}.jsonl"
        return target if target.exists() else write(records, judge, target)

    return of


@pytest.fixture(scope="module")
def published(data):
    found = rows(data / "llmbar_expected.jsonl")
    return {(each["set"], f"{each['judge']}/{each['strategy']}"): each["published"] for each in found}


@pytest.fixture
def measured(summary, records, recording):
    def run(judge, *arguments, scorer=None):
        file = SCORERS / f"{scorer or SCORER_OF[judge]}.yaml"
        return summary(file, "--data", records, "--replay", recording(judge), *arguments)

    return run


@pytest.mark.parametrize(("subset", "judge"), list(product(SUBSETS, SCORER_OF)), ids=str)
def test_accuracy_and_order_agreement_are_the_published_ones(subset, judge, measured, published):
    chosen = "--where", f"row.metadata.subset == '{subset}'"
    code, accuracy, _ = measured(judge, *chosen, "-p", "measure=accuracy")
    again, order, _ = measured(judge, *chosen, "-p", "measure=order")
    expected = published[f"LLMBar/{subset}", judge]
    assert (code, again, accuracy["failed"], order["notScorable"]) == (0, 0, 0, 0)
    assert f"{accuracy['mean'] * 100}%" == expected["correct_average"]
    agreeing, scored = round(order["mean"] * order["scored"]), order["scored"]
    assert f"{agreeing} / {scored} = {order['mean'] * 100}%" == expected["equal"]


def test_the_first_setting_is_the_one_everybody_quotes(measured):
    chosen = "--where", "row.metadata.subset == 'Natural'"
    assert measured("GPT-4/Vanilla", *chosen)[1]["mean"] == 0.955
    assert measured("GPT-4/Vanilla", *chosen, "-p", "measure=order")[1]["mean"] == 0.95


def test_an_unreadable_verdict_counts_as_wrong_and_stays_visible(measured):
    _, summary, results = measured("ChatGPT/CoT")
    unread = [
        row
        for row in results
        if "neither" in (row["preprocessStepResult"]["better"], row["analyzeStepResult"]["better"])
    ]
    assert summary["scored"] == 419
    assert [row["runId"] for row in unread] == [
        "llmbar-natural-17",
        "llmbar-neighbor-47",
        "llmbar-gptinst-32",
        "llmbar-gptout-31",
        "llmbar-manual-39",
    ]
    assert all(row["score"] <= 0.5 for row in unread)
    assert all(row["recorded"] == "external" for row in results)


def test_an_unreadable_rating_stays_null(measured):
    _, _, results = measured("GPT-4/Rating")
    unread = {row["runId"]: row["score"] for row in results if row["preprocessStepResult"]["rating"] is None}
    assert unread == {"llmbar-neighbor-92": 0.5, "llmbar-gptinst-61": 0.5}


def test_a_stricter_reading_fails_those_records_instead(measured):
    code, summary, _ = measured("ChatGPT/CoT", scorer="llmbar-direct")
    assert code == 3
    assert summary["errors"] == {"unusable-answer": summary["failed"]}
    assert summary["failed"] > 5


def test_summary_says_that_the_answers_come_from_elsewhere(measured):
    judge = measured("GPT-4/CoT")[1]["judge"]
    assert (judge["requests"], judge["recorded"]) == (0, {"external": 838})
    assert judge["recordedSource"][0].startswith("GPT-4/CoT: princeton-nlp/LLMBar @ ")
