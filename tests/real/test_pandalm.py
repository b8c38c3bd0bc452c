"""PandaLM: verdicts of two judges against the majority of three people."""

import pytest

from tests.real.conftest import SCORERS
from tests.real.recordings_of import write

GPT, OWN = "gpt-3.5-turbo", "pandalm-7b"


@pytest.mark.parametrize(
    ("judge", "garbage", "scored", "agreement"),
    [(GPT, "tie", 999, 0.7107), (GPT, "notScorable", 974, 0.7156), (OWN, "tie", 999, 0.6677)],
)
def test_verdicts_agree_so_often_with_the_majority(judge, garbage, scored, agreement, data, summary, tmp_path):
    records = data / "pandalm_runs.jsonl"
    recording = write(records, judge, tmp_path / "recording.jsonl")
    code, found, _ = summary(
        SCORERS / "pandalm.yaml", "--data", records, "--replay", recording, "-p", f"garbage={garbage}"
    )
    assert code == 0
    assert (found["scored"], found["notScorable"], found["failed"]) == (scored, 999 - scored, 0)
    assert round(found["mean"], 4) == agreement
