"""Every behaviour case, one test each: ``handed.jsonl`` from public reports, ``own.jsonl`` their neighbours."""

from pathlib import Path

import pytest
from cases.checks import BY_HAND, CHECKS, Outcome, differences
from cases.judge import CaseJudge
from cases.playing import Player, commands_of, read_cases

HERE = Path(__file__).parent / "cases"
CASES = [case for name in ("handed", "own") for case in read_cases(HERE / f"{name}.jsonl")]

LATER: dict[str, str] = {}
"""Cases of releases to come: each must still fail, so that none is forgotten when its time has come."""

SLOW = {
    "hundred-thousand-records",
    "five-thousand-verdicts",
    "retry-after-seconds",
    "retry-after-ms-wins",
    "long-retry-after-is-capped",
    "zero-retries-honoured",
    "hanging-judge-times-out",
    "outage-is-not-a-pass",
    "cache-follows-prompt-file",
    "kill-9-and-resume",
}
"""Cases that take longer than a second and a half."""


def marked(case):
    marks = []
    if case["id"] in LATER:
        marks.append(pytest.mark.xfail(reason=LATER[case["id"]], strict=True))
    if case["id"] in SLOW:
        marks.append(pytest.mark.slow)
    return pytest.param(case, id=case["id"], marks=marks)


@pytest.mark.parametrize("case", [marked(case) for case in CASES])
def test_a_case_comes_out_as_it_should(case, tmp_path, clean):
    with CaseJudge(case["input"].get("judge", [])) as judge:
        player = Player(case, tmp_path, judge)
        player.prepare()
        done = [player.play(command) for command in commands_of(case)]
        outcome = Outcome(player, done)
        found = differences(case["expected"], outcome)
    assert found + judge.faults == [], outcome.stderr


def test_the_tables_name_cases_that_exist():
    known = {case["id"] for case in CASES}
    assert len(known) == len(CASES)
    assert (set(LATER) | set(SLOW)) - known == set()


def test_every_expectation_is_looked_at():
    used = {key for case in CASES for key in case["expected"]}
    assert used - {BY_HAND} <= set(CHECKS)
