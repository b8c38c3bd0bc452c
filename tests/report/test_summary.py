import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit.model.plan import Bounds, Gate, Plan
from scorerkit.model.result import ScorerResult
from scorerkit.report.summary import Experiment, bounds_json, gate_checks, histogram, summarise, worse_than
from scorerkit.report.tally import Tally


def result(status="scored", score=None, **more):
    error = {"code": more.pop("code", "step-failed"), "message": "x"} if status == "failed" else None
    return ScorerResult("r", status, score, error=error, **more)


def tally_of(results=(), **plan):
    tally = Tally(Plan(**{"id": "s", "steps": (), **plan}))
    for each in results:
        tally.add(each)
    return tally


def experiment(*tallies, **more):
    return Experiment(**{"id": "e", "tallies": tallies, "data": "runs.jsonl", "started": "t", "wall_ms": 1.0, **more})


def scores(*values, **plan):
    return tally_of([result(score=value) for value in values], **plan)


def scorer(tally, **more):
    return summarise(experiment(tally, **more), "0.1")["scorers"][0]


def test_every_denominator_is_there():
    tally = tally_of([result(score=1), result("notScorable"), result("failed"), result("failed", code="bad-score")])
    found = scorer(tally, total=7, read=4)
    assert [found[key] for key in ("n", "scored", "notScorable", "failed", "notReached")] == [4, 1, 1, 2, 3]
    assert found["errors"] == {"step-failed": 1, "bad-score": 1}


def test_failed_records_never_count_as_zero():
    found = scorer(tally_of([result(score=1), result("failed"), result("notScorable")]))
    assert (found["mean"], found["median"], found["min"], found["max"]) == (1, 1, 1, 1)


def test_nothing_scored_has_no_mean():
    found = scorer(tally_of([result("failed")], threshold=Bounds(0.5)))
    assert [found[key] for key in ("mean", "meanInterval", "median", "min", "max", "passRate", "passRateInterval")] == [
        None
    ] * 7
    assert found["histogram"] == []


def test_sums_are_exact():
    assert scorer(scores(*[0.1] * 10))["mean"] == 0.1
    assert scorer(scores(1e16, 1.0, -1e16))["mean"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("values", "edges", "counts"),
    [
        ([0, 0.05, 0.1, 0.95, 1], (0, 1), [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]),
        ([1, 5, 11], (1, 11), [1, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ([-1, 1], (-1, 1), [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ([3, 3], (3, 3), [2]),
        ([0.5], (0, 1), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]),
    ],
)
def test_a_histogram_has_ten_bins_and_the_last_is_closed(values, edges, counts):
    found = histogram([float(value) for value in values], min(values), max(values))
    assert [each["count"] for each in found] == counts
    assert (found[0]["from"], found[-1]["to"]) == edges


@given(st.lists(st.floats(-1e308, 1e308), min_size=1, max_size=30))
def test_a_histogram_counts_every_score_once(values):
    assert sum(each["count"] for each in histogram(values, min(values), max(values))) == len(values)


def test_a_pass_rate_is_of_what_was_scored():
    passed = [result(score=1, passed=True), result(score=0, passed=False), result("failed"), result("notScorable")]
    found = scorer(tally_of(passed, threshold=Bounds(0.5)))
    assert (found["passed"], found["passRate"], found["threshold"]) == (1, 0.5, {"min": 0.5})
    assert found["passRateInterval"] == pytest.approx((0.0945, 0.9055), abs=1e-4)
    assert "passRate" not in scorer(scores(1))


@pytest.mark.parametrize(
    ("gate", "results", "checks"),
    [
        (Gate(mean=Bounds(0.5)), [result(score=0.5)], [("mean", 0.5, True)]),
        (Gate(mean=Bounds(None, 0.4)), [result(score=0.5)], [("mean", 0.5, False)]),
        (Gate(mean=Bounds(0.5)), [result("failed")], [("mean", None, False)]),
        (Gate(pass_rate=0.5), [result(score=1, passed=True), result(score=0, passed=False)], [("passRate", 0.5, True)]),
        (Gate(pass_rate=0), [result("failed")], [("passRate", None, False)]),
        (Gate(max_not_scorable=1), [result("notScorable")], [("notScorable", 1, True)]),
        (Gate(max_not_scorable=0), [result("notScorable")], [("notScorable", 1, False)]),
        (Gate(max_not_scorable=0.5), [result("notScorable"), result(score=1)], [("notScorable", 0.5, True)]),
        (Gate(max_not_scorable=0.4), [result("notScorable"), result(score=1)], [("notScorable", 0.5, False)]),
        (Gate(max_not_scorable=0.4), [result("failed")], [("notScorable", 0.0, True)]),
    ],
)  # fmt: skip
def test_each_condition_of_a_gate_with_what_was_found(gate, results, checks):
    found = gate_checks(tally_of(results, gate=gate, threshold=Bounds(0.5)))
    assert [(each["name"], each["found"], each["passed"]) for each in found] == checks


def test_no_gate_has_no_conditions():
    assert gate_checks(scores(1)) == []


@pytest.mark.parametrize(
    ("direction", "mean", "bound", "worse"),
    [
        ("maximize", 0.4, 0.5, True),
        ("maximize", 0.5, 0.5, False),
        ("minimize", 0.6, 0.5, True),
        ("minimize", 0.5, 0.5, False),
    ],
)
def test_which_side_is_worse_depends_on_the_direction(direction, mean, bound, worse):
    assert worse_than(Plan("s", (), direction=direction), mean, bound) is worse


def test_what_the_judge_did_is_added_up():
    one = {"attemptCount": 2, "usage": {"inputTokens": 10, "totalTokens": 15}, "cost": {"amount": 0.5, "unit": "USD"}}
    cached = {"attemptCount": 0, "cached": True, "usage": {"totalTokens": 5}}
    replayed = {"attemptCount": 1, "recorded": "external", "source": "a paper"}
    tally = tally_of([result(score=1, judge={"analyze": [one, cached], "generateScore": [replayed]})])
    assert (tally.questions, tally.requests, tally.cached) == (3, 2, 1)
    assert (tally.usage["totalTokens"], tally.cost, tally.costed) == (20, 0.5, 1)
    assert (dict(tally.recorded), tally.sources) == ({"external": 1}, {"a paper"})


def test_records_that_were_not_reached_are_counted_from_the_slowest_scorer():
    assert experiment(scores(1, 1), scores(1), total=5).not_reached == 4
    assert experiment(scores(1), read=3).not_reached == 2


def test_the_summary_is_plain_json():
    summary = summarise(experiment(scores(0.5, 1), replaced_surrogates=2, stopped="why"), "0.1")
    assert json.loads(json.dumps(summary, allow_nan=False))["data"]["replacedSurrogates"] == 2
    assert (summary["stopped"], summary["experimentId"], summary["scorerkit"]) == ("why", "e", "0.1")


@pytest.mark.parametrize(
    ("bounds", "written"), [(Bounds(), {}), (Bounds(0), {"min": 0}), (Bounds(0, 1), {"min": 0, "max": 1})]
)
def test_bounds_are_written_where_they_are(bounds, written):
    assert bounds_json(bounds) == written
