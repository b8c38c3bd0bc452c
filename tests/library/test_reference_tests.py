"""The bounds that the reference's own tests state, and the numbers of its packages."""

import json
import re
from pathlib import Path

import pytest

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "vectors/reference-tests.jsonl").read_text("utf-8").splitlines()
]
NOTHING = ("mx-025", "mx-032", "mx-064", "mx-065", "mx-066", "mx-097")
"""Where there is nothing to measure the reference says 0 or 1; that is not scorable here."""
SEGMENTED = ("mx-035", "mx-073")
"""Texts without spaces: the reference takes them for one word or none."""
FIGURES = ("avgSentiment", "sentimentVariance", "responseSentiment", "referenceSentiment", "difference")
TEXT = {"tone-stability": "tone", "tone-reference": "tone"}
CALL = {"text": ("includes", "excludes", "equals"), "pattern": ("matches",), "name": ("calledTool", "didNotCall")}


def step(value):
    return {"stepType": "tool_call", "name": value} if isinstance(value, str) else {"stepType": "tool_call", **value}


def messages(tools, text=""):
    calls = [
        {"state": "result", "result": 1, "args": {}} | (t if isinstance(t, dict) else {"toolName": t}) for t in tools
    ]
    parts = [
        {"type": "tool-invocation", "toolInvocation": {"toolCallId": f"c{n}", **call}} for n, call in enumerate(calls)
    ]
    texts = [{"type": "text", "text": text}] if text or not parts else []
    return [{"id": "m", "role": "assistant", "content": {"format": 2, "parts": [*parts, *texts]}}]


def played(library, row):
    """The result of a row's scorer."""
    options = dict(row.get("options") or {})
    scorer = row["scorer"]
    if scorer == "check":
        return check(library, row, options)
    if scorer == "tool-call-accuracy":
        output = [] if row["actualTools"] is None else messages(row["actualTools"], "done")
        return library.score("tool-call-accuracy-code", {"input": "q", "output": output}, options)
    if scorer.startswith("trajectory"):
        return trajectory(library, row, options)
    name = TEXT.get(scorer, scorer)
    return library.score(
        name, {"input": row["input"] or "q" if name == "tone" else row["input"], "output": row["output"]}, options
    )


def check(library, row, options):
    name = re.sub(r"([A-Z])", lambda found: "-" + found[1].lower(), row["check"])
    key = next((key for key, checks in CALL.items() if row["check"] in checks), None)
    key = key or {"toolOrder": "names", "maxToolCalls": "max"}.get(row["check"])
    params = {**options, **({key: row["args"]} if key else {})}
    return library.score(
        f"checks/{name}", {"input": "q", "output": messages(row.get("tools", []), row["output"])}, params
    )


def trajectory(library, row, options):
    options.pop("compareStepData", None)
    run = {"output": {"steps": [step(value) for value in row["actualSteps"]]}}
    if item := options.pop("itemExpectation", None):
        run["expectedTrajectory"] = with_steps(item)
    if row["scorer"] == "trajectory-unified":
        return library.score("trajectory", run, {"defaults": with_steps(options)})
    steps = options.pop("expectedSteps")
    expected = [{"name": value} if isinstance(value, str) else value for value in steps]
    return library.score(
        "trajectory-accuracy-code", run, {"expectedTrajectory": expected, "comparisonOptions": options}
    )


def with_steps(expectation):
    steps = [{"name": value} if isinstance(value, str) else value for value in expectation.get("steps", ())]
    return {**expectation, **({"steps": steps} if steps else {})}


def within(bound, value):
    """Whether a number is what is said: itself, or ``>0.3 and <0.7``."""
    if not isinstance(bound, str):
        return value == pytest.approx(bound, abs=1e-9)
    tests = {">": float.__gt__, "<": float.__lt__, ">=": float.__ge__, "<=": float.__le__}
    return all(tests[sign](float(value), float(limit)) for sign, limit in re.findall(r"([<>]=?)\s*([\d.]+)", bound))


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["id"] not in (*NOTHING, *SEGMENTED)], ids=lambda row: row["id"]
)
def test_what_the_reference_tests_holds_here(library, row):
    holds(library, row)


def holds(library, row):
    """Fails where a row's result is not the reference's, to 1e-9."""
    result, expected = played(library, row), row["expected"]
    if "raises" in expected:
        assert result.status == "failed"
    elif "score" in expected:
        assert within(expected["score"], result.score)
        found = result.preprocess_step_result
        assert {key: found[key] for key in FIGURES if key in expected} == pytest.approx(
            {key: expected[key] for key in FIGURES if key in expected}, abs=1e-9
        )
    else:
        assert (result.preprocess_step_result["accuracy"]["score"] == 1) is bool(
            expected.get("accuracyScore") or expected["matchedSteps"]
        )


@pytest.mark.parametrize("name", NOTHING)
def test_nothing_to_measure_is_not_scorable(library, name):
    row = next(row for row in ROWS if row["id"] == name)
    assert played(library, row).status == "notScorable"


@pytest.mark.parametrize("name", SEGMENTED)
def test_text_without_spaces_is_neither_one_word_nor_none(library, name):
    row = next(row for row in ROWS if row["id"] == name)
    assert played(library, row).score != row["expected"]["score"]
