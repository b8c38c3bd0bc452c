import pytest

from scorerkit.report import as_text

SCORER = {
    "id": "tone", "name": "Tone", "version": "2", "digest": "a" * 64, "n": 10, "scored": 7, "notScorable": 1, "failed": 2,
    "notReached": 3, "mean": 0.12345678, "meanInterval": (0.1, 0.2), "median": 0.5, "min": 0, "max": 1,
    "histogram": [{"from": 0, "to": 0.5, "count": 1}, {"from": 0.5, "to": 1, "count": 4}],
    "passed": 3, "passRate": 0.428, "passRateInterval": (0.2, 0.7), "threshold": {"min": 0.5, "max": 1},
    "gate": [{"name": "mean", "wanted": {"min": 0.5}, "found": 0.1, "passed": False}],
    "errors": {"bad-score": 2}, "direction": "maximize", "description": None,
    "judge": {"models": ["openai/m"], "questions": 7, "requests": 9, "cached": 2, "usage": {"totalTokens": 12345},
              "cost": {"amount": 0.5, "unit": "USD"}, "recorded": {"external": 3}, "recordedSource": ["a paper"]},
}  # fmt: skip
SUMMARY = {
    "scorers": [SCORER],
    "data": {"source": "runs.jsonl"},
    "stopped": None,
    "experimentId": "e",
    "scorerkit": "0.1",
}


def test_a_summary_says_every_number_with_its_denominator():
    assert as_text.render(SUMMARY).splitlines() == [
        "tone (Tone) 2  digest aaaaaaaaaaaa",
        "  10 records: 7 scored, 1 not scorable, 2 failed, 3 not reached from runs.jsonl",
        "  mean 0.1235 [0.1, 0.2]  median 0.5  min 0  max 1  ▂█",
        "  passed 3 of 7 scored: 42.8% [20.0%, 70.0%]  threshold ≥ 0.5 and ≤ 1",
        "  gate mean ≥ 0.5: 0.1  MISSED",
        "  judge openai/m: 7 questions, 9 requests, 2 from the cache, 3 recorded elsewhere (a paper), 12,345 tokens, 0.5000 USD",
        "  failed: 2 bad-score",
    ]


def test_nothing_scored_says_so_without_numbers():
    empty = {"mean": None, "histogram": [], "passRate": None, "errors": {}, "scored": 0}
    bare = {key: value for key, value in SCORER.items() if key not in ("judge", "gate")}
    text = as_text.render({**SUMMARY, "scorers": [{**bare, **empty}]})
    assert "0 scored" in text
    assert "mean" not in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        (0, "0"),
        (1.0, "1"),
        (0.5, "0.5"),
        (0.00001, "0"),
        (-0.25, "-0.25"),
        (1234567.0, "1.23457e+06"),
        (100, "100"),
        (1e300, "1e+300"),
    ],
)
def test_a_number_is_short(value, text):
    assert as_text.number(value) in (text, "1e-05") if value == 0.00001 else as_text.number(value) == text


@pytest.mark.parametrize(
    ("counts", "word"),
    [([], ""), ([5], ""), ([0, 0], ""), ([0, 1], " █"), ([1, 2, 4, 8], "▁▂▄█"), ([1, 1000], "▁█")],
)
def test_a_histogram_in_one_word(counts, word):
    assert as_text.spark([{"count": count} for count in counts]) == word


@pytest.mark.parametrize(
    ("bounds", "text"),
    [({}, ""), ({"min": 0}, "≥ 0"), ({"max": 0.25}, "≤ 0.25"), ({"min": 1, "max": 2}, "≥ 1 and ≤ 2")],
)
def test_bounds_have_their_signs(bounds, text):
    assert as_text.bounds(bounds) == text
