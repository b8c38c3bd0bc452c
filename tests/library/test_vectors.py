"""The library against what the reference answers. What differs is listed, each with its reason."""

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

VECTORS = Path(__file__).parent / "vectors"
NEAR = {"completeness": 0.1, "keyword-coverage": 0.1}
"""Own definitions: at least 80 % of what can be scored comes this near."""

NOTHING = "there is nothing to measure, which is not scorable, never a full or an empty score"
FOREIGN = "the tone list knows English only; the reference says 1 to every other language"
LABEL = "a label that is not exactly one of those asked for is asked again or counted, never silently another verdict"
LINEAR = "the linear-time engine has no back-references, and its white space is that of ASCII"
OWN = "own definition: other words, stop words or dictionary forms than the reference's English library"
REPEATED = "repeated steps are named also where nothing is expected; the score is the same"
ALIGNED = "a judge who answers too few or too many fails the record"

DIFFERENT = {
    **dict.fromkeys(("completeness-003", "completeness-005", "completeness-015", "completeness-107"), NOTHING),
    "completeness-109": NOTHING,
    **dict.fromkeys(("completeness-057", "completeness-071", "completeness-089"), OWN),
    **dict.fromkeys((f"keyword-coverage-{n:03}" for n in (3, 5, 15, 55, 61, 67, 75, 77, 83, 85, 107, 109)), NOTHING),
    **dict.fromkeys((f"keyword-coverage-{n:03}" for n in (35, 37, 41, 47, 49, 51)), OWN),
    **dict.fromkeys((f"tone-{n + 114 * k:03}" for k in range(4) for n in (3, 7, 15, 105, 107)), NOTHING),
    **dict.fromkeys((f"tone-{n + 114 * k:03}" for k in range(4) for n in (33, 43)), FOREIGN),
    **dict.fromkeys(("check-matches-021", "check-matches-027"), LINEAR),
    **dict.fromkeys(("answer-relevancy-011", "bias-011"), LABEL),
    **dict.fromkeys((f"{name}-{n}" for name in ("faithfulness", "hallucination") for n in ("009", "011")), LABEL),
    **dict.fromkeys(("context-recall-011", "context-recall-023", "summarization-011", "rubric-025"), NOTHING),
    "rubric-027": NOTHING,
    **dict.fromkeys((f"trajectory-accuracy-code-{n}" for n in (160, 161, 162, 304, 305, 306, 340, 341, 342)), REPEATED),
    **dict.fromkeys(("summarization-013", "summarization-015"), ALIGNED),
}
NOT_SHOWN = {
    "checks/matches": ("pattern",),  # the reference shows a JavaScript pattern with its slashes
    "trajectory-accuracy": ("actualTrajectoryFormatted", "expectedTrajectoryFormatted"),  # own wording
}
"""Keys of step results that are spelt otherwise."""


def rows():
    for name in ("code-scorers", "checks", "llm-scorers"):
        for line in (VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            text = json.dumps([row.get("run"), row.get("params"), row.get("judge")])
            sayable = '"$' not in text and "=>" not in json.dumps(row.get("params") or {})
            if (
                sayable
                and isinstance(row.get("run"), dict)
                and "output" in row["run"]
                and name_of(row) != "judge-format"
            ):
                yield row


def name_of(row):
    if "scorer" in row:
        return row["scorer"]
    return "checks/" + re.sub(r"(?<!^)([A-Z])", lambda found: "-" + found[1].lower(), row["function"][len("checks.") :])


def params_of(row):
    """(params, the reference's scale, which is not carried over)."""
    given = dict(row.get("params") or {})
    given |= given.pop("options", None) or {}
    scale = given.pop("scale", 1)
    if name_of(row) == "content-similarity" and row.get("params") is not None:
        given = {"ignoreCase": False, "ignoreWhitespace": False} | given
    if flags := given.pop("flags", ""):
        given["pattern"] = (f"(?{flags})" if set(flags) <= set("ims") else "") + given["pattern"]
    return given, scale


def wanted(row):
    """What must come out, or None where nothing is determined."""
    if row.get("repaired"):
        return row.get("expectedRepaired")
    return row["expected"]


ROWS = defaultdict(list)
for _row in rows():
    ROWS[name_of(_row)].append(_row)


def differences(library, row):
    """Nothing where a vector comes out as it must."""
    name, want = name_of(row), wanted(row)
    params, scale = params_of(row)
    if want is None or scale == 0:
        return
    if want.get("error") and params.get("maxQuestions") == 0:
        return  # refused when the scorer is built
    answers = {"generateReason": "Because.", **(row.get("judge") or {})}
    result = library.score(name, row["run"], params, answers)
    if want.get("notScorable") or want.get("error"):
        status = "notScorable" if want.get("notScorable") else "failed"
        yield from [] if result.status == status else [f"{result.status}, not {status}"]
    elif "score" in want:
        tolerance = NEAR.get(name, 1e-9 if scale == 1 else 0.005 + 1e-9)  # two digits of the unscaled score
        near = result.score is not None and abs(result.score - want["score"] / scale) <= tolerance
        yield from [] if near else [f"{result.status} {result.score}, not {want['score'] / scale}"]
        if name not in NEAR and result.status == "scored" and "preprocessStepResult" in want:
            hidden = NOT_SHOWN.get(name, ())
            shown = {key: value for key, value in want["preprocessStepResult"].items() if key not in hidden}
            yield from unlike(shown, result.preprocess_step_result)


def unlike(want, got, path="preprocess"):
    """Where a step result lacks what the reference's has; more keys are fine."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key, value in want.items():
            yield from unlike(value, got[key], f"{path}.{key}") if key in got else [f"{path}.{key} is missing"]
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for index, (one, two) in enumerate(zip(want, got, strict=True)):
            yield from unlike(one, two, f"{path}[{index}]")
    elif isinstance(want, (int, float)) and isinstance(got, (int, float)):
        yield from [] if abs(want - got) <= 1e-9 else [f"{path} is {got}, not {want}"]
    elif want != got:
        yield f"{path} is {got!r}, not {want!r}"


def test_there_are_vectors_of_every_kind():
    assert sum(map(len, ROWS.values())) > 1700
    assert len(ROWS) == 35


@pytest.mark.parametrize("name", ROWS)
def test_a_scorer_answers_as_the_reference(library, name):
    found = {row["id"]: list(differences(library, row)) for row in ROWS[name]}
    assert {key: said for key, said in found.items() if said and key not in DIFFERENT} == {}


@pytest.mark.parametrize("name", ROWS)
def test_what_is_said_to_differ_differs(library, name):
    listed = [row for row in ROWS[name] if row["id"] in DIFFERENT]
    assert [row["id"] for row in listed if not list(differences(library, row))] == []


@pytest.mark.parametrize("name", NEAR)
def test_at_least_four_of_five_come_near(library, name):
    english = [row for row in ROWS[name] if not row.get("repaired") and DIFFERENT.get(row["id"]) != NOTHING]
    near = [row for row in english if not list(differences(library, row))]
    assert len(near) >= 0.8 * len(english)
