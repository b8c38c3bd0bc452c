import pytest

from scorerkit.check.advice.scale import scales_in

NAMED = [
    ("Rate it from 1 to 10.", (1, 10, "from 1 to 10")),
    ("Give a score between 0 and 1.", (0, 1, "between 0 and 1")),
    ("Score: 0-100", (0, 100, "0-100")),
    ("Score it 1–5, please", (1, 5, "1–5")),
    ("Score it 1 — 5", (1, 5, "1 — 5")),
    ("Use a 1 to 5 scale.", (1, 5, "1 to 5")),
    ("On a 1-5 point scale", (1, 5, "1-5")),
    ("Give a number 1..7", (1, 7, "1..7")),
    ("Grade from 5 (best) to 1 (worst)", (1, 5, "from 5 (best) to 1")),
    ("Rate how polite it is, out of 10.", (None, 10, "out of 10")),
    ("Rate it from 0.0 to 1.0", (0, 1, "from 0.0 to 1.0")),
    ("Rate it from -1 to 1", (-1, 1, "from -1 to 1")),
    ("Rate it from 1 to 10 where 10 is best", (1, 10, "from 1 to 10")),
    ("Rate it\nfrom 1\nto 10", (1, 10, "from 1")),
]


@pytest.mark.parametrize(("prompt", "expected"), NAMED)
def test_a_scale_is_found_in_a_prompt(prompt, expected):
    [scale] = scales_in(prompt)
    assert (scale.low, scale.high, scale.token) == expected


NONE = [
    "Write 3 to 5 sentences.",
    "Score how well 3 to 5 bullet points are covered.",
    "Rate answers of 2020-2021.",
    "Score the report of 2025-11-30.",
    "Score it. Use between 5 and 10 words.",
    "Is it open from 9 to 17?",
    "Two claims out of 3 are rated.",
    "Rate whether 2 out of 3 is right.",
    "Rate whether many out of 10 agree.",
    "Rate the version 1.2-1.3.4",
    "Rate {{ 1 - 5 }} and {% if 1 - 5 %}",
    "Rate pages a1-5",
    "The paper has 10-12 pages.",
]


@pytest.mark.parametrize("prompt", NONE)
def test_other_numbers_are_no_scale(prompt):
    assert scales_in(prompt) == []


def test_the_line_of_a_scale_is_that_of_the_prompt():
    assert [scale.line for scale in scales_in("{% if a %}\n{% endif %}\nScore 1-5\nor score 1-7")] == [3, 4]


def scorer(prompt, body="", head=""):
    return f'id: x\n{head}steps:\n  generateScore:\n    prompt: "{prompt} {{{{ run.output | fenced }}}}"\n{body}'


SCORE = "    outputSchema: {{type: object, properties: {{{0}}}}}\n    calculateScore: {{expression: {1}}}\n"
CASES = [
    ("Rate it from 1 to 10.", "", "range: {min: 0, max: 1}\n", True),
    ("Rate it from 1 to 10.", "", "range: {min: 1, max: 10}\n", False),
    ("Rate it from 1 to 10.", "", "range: {max: 10}\n", False),
    ("Rate it from 1 to 10.", "", "range: {max: 1}\n", True),
    ("Rate it from 1 to 10.", "", "range: {min: 0}\n", True),
    ("Rate it out of 10.", "", "range: {min: 0}\n", False),
    ("Rate it from 1 to 10.", "", "", False),
    ("Rate it from 1 to 10 (not from 0 to 1).", "", "range: {min: 0, max: 1}\n", False),
    ("Rate it.", "", "range: {min: 0, max: 1}\n", False),
    ("Rate it from 1 to 10.", "    levels: {a: 0, b: 1}\n", "range: {min: 0, max: 1}\n", False),
    (
        "Rate it from 1 to 10.",
        SCORE.format("score: {type: integer, minimum: 1, maximum: 5}", "judgeOutput.score"),
        "",
        True,
    ),
    (
        "Rate it from 1 to 5.",
        SCORE.format("score: {type: integer, minimum: 1, maximum: 5}", "judgeOutput.score / 5"),
        "range: {min: 0, max: 1}\n",
        False,
    ),
    ("Rate it from 1 to 10.", SCORE.format("score: {enum: [1, 2, 3]}", "judgeOutput.score"), "", True),
    ("Rate it from 1 to 10.", SCORE.format("points: {type: number, maximum: 5}", "judgeOutput.points"), "", True),
    (
        "Rate it from 1 to 10.",
        SCORE.format("a: {type: number, maximum: 5}, b: {type: number, maximum: 3}", "judgeOutput.a"),
        "",
        False,
    ),
    (
        "Rate it from 1 to 10.",
        SCORE.format("score: {type: number}", "judgeOutput.score"),
        "range: {min: 0, max: 1}\n",
        True,
    ),
    (
        "Rate it from 1 to 10.",
        SCORE.format("score: {type: number}", "judgeOutput.score / 10"),
        "range: {min: 0, max: 1}\n",
        False,
    ),
    (
        "Rate it from 1 to 10.",
        SCORE.format("a: {type: number, maximum: 1}, toneScore: {type: number, maximum: 10}", "judgeOutput.a"),
        "",
        False,
    ),
]


@pytest.mark.parametrize(("prompt", "body", "head", "warned"), CASES)
def test_a_scale_is_held_against_what_checks_the_answer(places, prompt, body, head, warned):
    codes = [code for code, _, _ in places(scorer(prompt, body, head))]
    assert ("scale-mismatch" in codes) is warned


def test_the_warning_stands_at_the_scale(places):
    text = scorer("Rate it from 1 to 10.", head="range: {min: 0, max: 1}\n")
    assert ("scale-mismatch", 5, 22) in places(text)


def test_preprocess_and_analyze_are_held_against_their_schemas_only(places):
    text = (
        "id: x\nrange: {min: 0, max: 1}\nsteps:\n  analyze:\n    prompt: 'Rate it from 1 to 10. {{ run.output | fenced }}'\n"
        "    outputSchema: {type: object, properties: {score: {type: number}}}\n"
        "  generateScore: {expression: results.analyzeStepResult.score / 10}\n"
    )
    assert places(text) == []
