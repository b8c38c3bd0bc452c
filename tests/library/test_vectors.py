"""The library against what the reference answers. What differs is listed, each with its reason."""

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from scorerkit.errors import ScorerkitError

VECTORS = Path(__file__).parent / "vectors"
NEAR = {"completeness": 0.1, "keyword-coverage": 0.1}
"""Own definitions: at least 80 % of what can be scored comes this near."""

NOTHING = "texts without elements or keywords are not scorable, never a full or an empty score"
OWN = "own definition: other words or dictionary forms than the reference's English library; at most a fifth"
FOREIGN = "an answer in a language that the tone list does not know is not scorable; the reference says it is neutral"
NO_TRUTH = "no ground truth where it is the yardstick is not scorable"
NO_RUBRIC = "a rubric without criteria is not scorable"
WORD = "'Yes' and ' yes' are counted by the reference as no; here they are yes, or asked again, never silently a no"
UNKNOWN = "a judge that answers unknown verdicts gives a failed record, not a number"
ALIGNED = "a judge who answers too few or too many fails the record"
LINEAR = "regular expressions cannot hang: the linear-time engine has no back-references"
DIGITS = "scale is not carried over, and the same share without a scale is wanted in two digits: "
ZERO = "scale is not carried over, and the same verdicts without a scale are wanted as 1: "

DIFFERENT = {
    **dict.fromkeys((f"completeness-{n:03}" for n in (3, 5, 15, 107, 109)), NOTHING),
    **dict.fromkeys((f"completeness-{n:03}" for n in (57, 71, 89)), OWN),
    **dict.fromkeys((f"keyword-coverage-{n:03}" for n in (3, 5, 15, 61, 75, 77, 83, 85, 107, 109)), NOTHING),
    **dict.fromkeys((f"tone-{n + 114 * k:03}" for k in range(4) for n in (33, 43)), FOREIGN),
    "context-recall-023": NO_TRUTH,
    **dict.fromkeys(("rubric-025", "rubric-027"), NO_RUBRIC),
    "answer-relevancy-011": UNKNOWN,
    **dict.fromkeys((f"{name}-{n}" for name in ("faithfulness", "hallucination") for n in ("009", "011")), WORD),
    "bias-011": WORD,
    **dict.fromkeys(("summarization-013", "summarization-015"), ALIGNED),
    "check-matches-021": LINEAR,
    "answer-relevancy-013": DIGITS + "answer-relevancy-003",
    "context-precision-025": DIGITS + "context-precision-011",
    "prompt-alignment-012": DIGITS + "prompt-alignment-009",
    "prompt-alignment-020": DIGITS + "prompt-alignment-017",
    "prompt-alignment-028": DIGITS + "prompt-alignment-025",
    "prompt-alignment-036": DIGITS + "prompt-alignment-033",
    "summarization-021": DIGITS + "summarization-003",
    "answer-relevancy-021": ZERO + "answer-relevancy-001",
    "rubric-021": ZERO + "rubric-001",
    "summarization-023": ZERO + "summarization-001",
}
"""What comes out otherwise, with the sentence of the specification, or the vector, that it would break."""
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
    scale = given.pop("scale", None) or 1
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
    if want is None:
        return
    answers = {"generateReason": "Because.", **(row.get("judge") or {})}
    try:
        result = library.score(name, row["run"], params, answers)
    except ScorerkitError as refused:
        yield from [] if want.get("error") and refused.code == "bad-param" else [refused.message]
        return
    if want.get("notScorable") or want.get("error"):
        status = "notScorable" if want.get("notScorable") else "failed"
        yield from [] if result.status == status else [f"{result.status}, not {status}"]
    elif "score" in want:
        tolerance = NEAR.get(name, 1e-9)
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
    determined = [row for row in ROWS[name] if wanted(row) is not None]
    near = [row for row in determined if not list(differences(library, row))]
    assert len(near) >= 0.8 * len(determined)


SCALED = {key: reason.rpartition(" ")[2] for key, reason in DIFFERENT.items() if reason.startswith((DIGITS, ZERO))}
BY_ID = {row["id"]: row for row in rows()}


@pytest.mark.parametrize("name", SCALED)
def test_a_vector_with_a_scale_contradicts_one_without(library, name):
    row, twin = BY_ID[name], BY_ID[SCALED[name]]
    share, scale = wanted(row)["score"], row["params"]["options"]["scale"]
    assert name_of(row) == name_of(twin)
    assert list(differences(library, twin)) == []
    (said,) = differences(library, row)
    found = float(said.split()[1].rstrip(","))
    assert found == (1 if scale == 0 else pytest.approx(share / scale, abs=0.005 + 1e-9))
