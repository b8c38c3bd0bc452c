"""The table of exit codes, a line each."""

import pytest

from scorerkit.errors import ScorerkitError
from scorerkit.model.plan import Bounds, Gate, Plan
from scorerkit.model.result import ScorerResult
from scorerkit.report.summary import Experiment
from scorerkit.report.tally import Tally
from scorerkit.report.verdict import Tolerance, parse_tolerance, verdict_of


def tally(scores=(), failed=0, unscorable=0, **plan):
    made = Tally(Plan(**{"id": "s", "steps": (), **plan}))
    for score in scores:
        made.add(ScorerResult("r", "scored", score, passed=made.plan.threshold and made.plan.threshold.contains(score)))
    for _ in range(failed):
        made.add(ScorerResult("r", "failed", error={"code": "step-failed"}))
    for _ in range(unscorable):
        made.add(ScorerResult("r", "notScorable"))
    return made


def verdict(*tallies, tolerance="0", fail_under=None, **more):
    experiment = Experiment("e", tallies, "runs.jsonl", "t", 1.0, **more)
    return verdict_of(experiment, parse_tolerance(tolerance), fail_under)


GATE = Gate(mean=Bounds(0.5))


@pytest.mark.parametrize(
    ("tallies", "more", "code"),
    [
        ([tally([0.1])], {}, 0),
        ([tally([0.5], gate=GATE)], {}, 0),
        ([tally([0.4], gate=GATE)], {}, 1),
        ([tally([0.4])], {"fail_under": 0.5}, 1),
        ([tally([0.5])], {"fail_under": 0.5}, 0),
        ([tally([0.4], direction="minimize")], {"fail_under": 0.5}, 0),
        ([tally([0.6], direction="minimize")], {"fail_under": 0.5}, 1),
        ([tally([1]), tally([0.4])], {"fail_under": 0.5}, 1),
        ([tally([0, 0], threshold=Bounds(0.5))], {}, 0),
        ([tally([1], failed=1)], {}, 3),
        ([tally([1], failed=1)], {"tolerance": "1"}, 0),
        ([tally([1], failed=2)], {"tolerance": "1"}, 3),
        ([tally([1] * 3, failed=1)], {"tolerance": "25%"}, 0),
        ([tally([1] * 3, failed=1)], {"tolerance": "24%"}, 3),
        ([tally([1]), tally([1], failed=1)], {}, 3),
        ([tally([0.4], failed=1, gate=GATE)], {}, 3),
        ([tally(failed=3)], {}, 3),
        ([tally(failed=3)], {"tolerance": "100%"}, 5),
        ([tally(unscorable=3)], {}, 5),
        ([tally()], {}, 5),
        ([tally([1]), tally(unscorable=1)], {}, 5),
        ([tally([0.4], gate=GATE), tally(unscorable=1)], {}, 5),
        ([tally([1])], {"stopped": "time", "stop_code": "time"}, 3),
        ([tally([1])], {"stopped": "no key", "stop_code": "judge-refused"}, 3),
        ([tally(failed=1)], {"stopped": "no key", "stop_code": "judge-refused"}, 2),
        ([tally([1], unscorable=1, gate=Gate(max_not_scorable=0))], {}, 1),
        ([tally([1, 0], threshold=Bounds(0.5), gate=Gate(pass_rate=0.6))], {}, 1),
    ],
)
def test_one_code_has_one_meaning(tallies, more, code):
    found = verdict(*tallies, **more)
    assert found.code == code
    assert bool(found.reasons) is bool(code)


def test_every_missed_condition_is_a_reason():
    gate = Gate(Bounds(0.9), 0.9, 0)
    found = verdict(tally([0, 1], unscorable=1, threshold=Bounds(0.5), gate=gate), fail_under=0.8)
    assert (found.code, len(found.reasons)) == (1, 4)
    assert found.reasons[0] == "s: gate mean is 0.5; wanted at least 0.9"
    assert "worse side of 0.8" in found.reasons[3]


def test_the_reason_of_too_many_failures_says_how_many_are_allowed():
    assert verdict(tally([1], failed=2), tolerance="1").reasons == ("s: 2 of 3 records failed; --max-errors allows 1",)


@pytest.mark.parametrize(
    ("text", "tolerance"),
    [
        ("0", Tolerance(0)),
        ("3", Tolerance(3)),
        ("2%", Tolerance(None, 0.02)),
        ("0%", Tolerance(None, 0.0)),
        ("100%", Tolerance(None, 1.0)),
    ],
)
def test_a_tolerance_is_a_count_or_a_percentage(text, tolerance):
    assert parse_tolerance(text) == tolerance


@pytest.mark.parametrize("text", ["", "-1", "x", "1.5", "-1%", "101%", "%", "nan%", "inf%", "1 %%"])
def test_anything_else_is_refused(text):
    with pytest.raises(ScorerkitError, match="--max-errors"):
        parse_tolerance(text)
