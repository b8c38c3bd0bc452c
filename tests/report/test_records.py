"""The records that reports name: which they are, and how each form shows them."""

import json
import random
from xml.etree import ElementTree as ET

import pytest

from scorerkit.model.plan import Bounds, Plan
from scorerkit.model.result import ScorerResult
from scorerkit.report import render
from scorerkit.report.records import MOST_FAILED, MOST_TEXT, MOST_WORST
from scorerkit.report.summary import Experiment, summarise
from scorerkit.report.tally import Tally


def tally_of(results, **plan):
    tally = Tally(Plan("s", (), **plan))
    for each in results:
        tally.add(each)
    return tally


def scored(scores, threshold=None, **plan):
    bounds = threshold and Bounds(*threshold)
    results = [
        ScorerResult(
            f"r{number}", "scored", score, passed=bounds.contains(score) if bounds else None, reason=f"why {score}"
        )
        for number, score in enumerate(scores)
    ]
    return tally_of(results, threshold=bounds, **plan)


def failed(count, message="it broke", **more):
    results = [
        ScorerResult(f"r{number}", error={"code": "step-failed", "message": message, **more}) for number in range(count)
    ]
    return tally_of(results)


def summary_of(tally):
    summary = summarise(Experiment("e", (tally,), "runs.jsonl", "t", 1.0), "0.1")
    return json.loads(json.dumps(summary, allow_nan=False))


def worst(tally):
    return [(entry["runId"], entry["score"]) for entry in summary_of(tally)["scorers"][0]["worst"]]


@pytest.mark.parametrize(
    ("scores", "how", "found"),
    [
        ([0.3, 0.1, 0.2], {}, [("r1", 0.1), ("r2", 0.2), ("r0", 0.3)]),
        ([0.3, 0.1, 0.2], {"direction": "minimize"}, [("r0", 0.3), ("r2", 0.2), ("r1", 0.1)]),
        ([0.3, 0.1, 0.2], {"threshold": (0.3, None)}, [("r1", 0.1), ("r2", 0.2)]),
        ([0.3, 0.1, 0.2], {"threshold": (None, 0.1), "direction": "minimize"}, [("r0", 0.3), ("r2", 0.2)]),
        ([0.1, 0.5, 1.0], {"threshold": (0.2, 0.7)}, [("r2", 1.0), ("r0", 0.1)]),
        ([0.3, 0.1, 0.2], {"threshold": (0.0, None)}, [("r1", 0.1), ("r2", 0.2), ("r0", 0.3)]),
        ([1.0, 0.5, 1.0], {"range": Bounds(0, 1)}, [("r1", 0.5)]),
        ([0.0, 0.5, 0.0], {"range": Bounds(0, 1), "direction": "minimize"}, [("r1", 0.5)]),
        ([1.0, 1.0], {"range": Bounds(0, 1), "threshold": (2, None)}, [("r0", 1.0), ("r1", 1.0)]),
        ([0.5, 0.5], {}, [("r0", 0.5), ("r1", 0.5)]),
        ([], {}, []),
    ],
)  # fmt: skip
def test_the_worst_are_outside_the_threshold_else_on_the_worse_end(scores, how, found):
    assert worst(scored(scores, **how)) == found


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
@pytest.mark.parametrize("threshold", [None, (0.3, None), (None, 0.6), (0.3, 0.6)])
def test_of_many_the_same_are_named_as_by_sorting(direction, threshold):
    draw = random.Random(7)
    scores = [draw.randrange(51) / 50 for _ in range(3000)]

    def distance(score):
        low, high = threshold
        return max((low - score) if low is not None else 0, (score - high) if high is not None else 0)

    sign = -1 if direction == "minimize" else 1
    numbered = list(enumerate(scores))
    if threshold:
        outside = [(number, score) for number, score in numbered if not Bounds(*threshold).contains(score)]
        wanted = sorted(outside, key=lambda pair: -distance(pair[1]))
    else:
        wanted = sorted(numbered, key=lambda pair: sign * pair[1])
    found = worst(scored(scores, threshold, direction=direction))
    assert found == [(f"r{number}", score) for number, score in wanted[:MOST_WORST]]


def test_no_more_is_held_than_reports_name():
    tally = scored([-n for n in range(1000)])
    for each in failed(1000, "x" * 10_000).records.failed * 3:
        tally.add(ScorerResult(each["runId"], error={"code": "step-failed", "message": each["message"]}))
    assert (len(tally.records._heap), len(tally.records.failed)) == (MOST_WORST, MOST_FAILED)
    long = tally_of([ScorerResult("i" * 9999, "scored", 1, reason="x" * 9999)]).records.worst[0]
    assert (len(long["reason"]), long["reason"][-2:], len(long["runId"])) == (MOST_TEXT, "x…", 200)


def test_half_a_character_can_be_written():
    tally = tally_of([ScorerResult("\ud800", "scored", 1, reason="a\udc00b" + "😀" * 400)])
    assert json.dumps(summary_of(tally), ensure_ascii=False).encode()


def test_sums_are_what_they_were():
    found = summary_of(tally_of([ScorerResult("a", "scored", 1), ScorerResult("b")]))["scorers"][0]
    assert (found["n"], found["scored"], found["failed"], found["mean"]) == (2, 1, 1, 1)


def test_a_failed_record_has_its_place():
    tally = tally_of([
        ScorerResult(None, error={"code": "bad-record", "message": "m", "at": {"path": "d.jsonl", "line": 3}}),
        ScorerResult("r", error={"code": "bad-score", "message": "m"}, failed_step="generateScore"),
        ScorerResult("s"),
    ])  # fmt: skip
    assert summary_of(tally)["scorers"][0]["failures"] == [
        {"runId": None, "code": "bad-record", "message": "m", "at": "d.jsonl:3"},
        {"runId": "r", "code": "bad-score", "message": "m", "step": "generateScore"},
        {"runId": "s", "code": "step-failed", "message": ""},
    ]
    assert "(no id): error[bad-record]: m (at d.jsonl:3)" in render(".txt", summary_of(tally))
    assert "| (no id) | bad-record | m (at d.jsonl:3) |" in render(".md", summary_of(tally))


@pytest.mark.parametrize("suffix", [".html", ".md", ".txt"])
def test_people_are_shown_twenty_and_how_many_more(suffix):
    written = render(suffix, summary_of(failed(57)))
    assert written.count("it broke") == 20
    assert "… and 37 more" in written
    assert "more" not in render(suffix, summary_of(failed(20)))
    outside = render(suffix, summary_of(scored([0.1] * 33 + [0.9], (0.5, None))))
    assert outside.count("why 0.1") == 20
    assert "utside the threshold" in outside
    assert "… and 13 more" in outside


@pytest.mark.parametrize(("direction", "title"), [("maximize", "owest scores"), ("minimize", "ighest scores")])
@pytest.mark.parametrize("suffix", [".html", ".md", ".txt"])
def test_the_title_says_which_end_is_worse(suffix, direction, title):
    written = render(suffix, summary_of(scored([0.1, 0.9], direction=direction)))
    assert title in written
    assert "… and" not in written


def test_junit_has_a_test_for_each_failed_record():
    suite = ET.fromstring(render(".xml", summary_of(failed(130)))).find("testsuite")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases[:3]] == ["records", "record r0", "record r1"]
    assert (suite.get("tests"), suite.get("errors"), len(cases)) == ("101", "101", 101)
    error = cases[1].find("error")
    assert (error.get("type"), error.get("message")) == ("step-failed", "it broke")


HOSTILE = "<script>alert(1)</script>|`x`\n\x1b[31m[a](http://e.x)\x00\u202e{{ 7 * 7 }}"


@pytest.mark.parametrize("suffix", [".html", ".md", ".txt", ".xml", ".json"])
def test_what_data_say_is_text_in_every_form(suffix):
    results = [
        ScorerResult(HOSTILE, error={"code": "step-failed", "message": HOSTILE, "at": {"field": HOSTILE}}),
        ScorerResult(HOSTILE, "scored", 0.5, reason=HOSTILE),
    ]
    written = render(suffix, summary_of(tally_of(results)))
    assert "\x1b" not in written
    assert "\0" not in written
    if suffix in (".html", ".md", ".xml"):
        assert "<script>" not in written
    if suffix == ".md":
        assert all(line.replace("\\|", "").count("|") == 4 for line in written.splitlines() if "alert" in line)
        assert "[a](" not in written
    if suffix in (".html", ".md", ".txt"):
        assert "\u202e" not in written
    if suffix == ".xml":
        assert len(ET.fromstring(written).findall("testsuite/testcase")) == 2
