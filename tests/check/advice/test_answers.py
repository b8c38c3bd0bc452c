import pytest


def scorer(properties, extra=""):
    return (
        "id: x\nsteps:\n  analyze:\n    prompt: '{{ run.output | fenced }}'\n    outputSchema:\n      type: object\n"
        f"      properties: {{{properties}}}\n{extra}  generateScore: {{expression: results.analyzeStepResult | length}}\n"
    )


S, N, B, E = "{type: string}", "{type: number}", "{type: boolean}", "{type: string, enum: [a, b]}"
CASES = [
    (f"verdict: {E}, reason: {S}", ["verdict-before-reason"]),
    (f"reason: {S}, verdict: {E}", []),
    (f"verdict: {E}", []),
    (f"reason: {S}", []),
    (f"score: {N}, explanation: {S}", ["verdict-before-reason"]),
    (f"relevanceScore: {N}, relevance_reason: {S}", ["verdict-before-reason"]),
    (f"score: {N}, verdict: {E}, reasoning: {S}", ["verdict-before-reason"]),
    (f"toneReason: {S}, toneScore: {N}, styleReason: {S}, styleScore: {N}", []),
    (f"toneScore: {N}, styleReason: {S}, styleScore: {N}", []),
    (f"result: {E}, analysis: {S}", ["verdict-before-reason"]),
    ("result: {type: object}, reason: {type: string}", []),
    ("result: {type: array}, reason: {type: string}", []),
    ("verdict: {$ref: '#'}, reason: {type: string}", []),
    (f"reason: {S}, score: {N}, passed: {B}", ["score-and-pass"]),
    (f"reason: {S}, score: {N}, isPass: {B}", ["score-and-pass"]),
    (f"reason: {S}, score: {N}, verdict: {{enum: [PASS, fail]}}", ["score-and-pass"]),
    (f"reason: {S}, score: {N}, verdict: {{enum: [1, fail]}}", []),
    (f"reason: {S}, score: {N}, passed: {S}", []),
    (f"reason: {S}, passed: {B}", []),
    (f"reason: {S}, toneScore: {N}, stylePassed: {B}", []),
    (f"reason: {S}, verdict: {S}", ["open-verdict"]),
    (f"label: {S}", ["open-verdict"]),
    ("label: {type: [string, 'null']}", ["open-verdict"]),
    ("label: {type: string, pattern: '^[ab]$'}", []),
    ("label: {anyOf: [{type: string}]}", []),
    ("label: {type: integer}", []),
    ("label: {}", []),
    ("label: true", []),
    (f"result: {S}", []),
    (f"reason: {S}, result: {S}", ["open-verdict"]),
    (
        f"items: {{type: array, items: {{type: object, properties: {{verdict: {E}, reason: {S}}}}}}}",
        ["verdict-before-reason"],
    ),
]


@pytest.mark.parametrize(("properties", "codes"), CASES)
def test_the_fields_of_an_answer_are_looked_at(places, properties, codes):
    assert [code for code, _, _ in places(scorer(properties))] == codes


def test_the_warning_stands_at_the_field(places):
    text = scorer(f"verdict: {E}, reason: {S}")
    assert places(text) == [("verdict-before-reason", 7, text.split("\n")[6].index("verdict") + 1)]


def test_schemas_of_functions_and_records_are_not_answers(places):
    assert places("id: x\ntype: {output: {type: object, properties: {verdict: {type: string}, reason: {type: string}}}}\n"
                  "steps: {generateScore: {expression: run.output.verdict | length}}\n") == []  # fmt: skip


LEVELS = [
    ("{a: 1, b: 0}", [("bare-rubric", 5, 5)]),
    ("{a: {score: 1}, b: 0}", [("bare-rubric", 5, 5)]),
    ("{a: {score: 1, means: x}, b: 0}", [("bare-rubric", 5, 39)]),
    ("{a: {score: 1, means: x}, b: {score: 0, means: y}}", []),
]


@pytest.mark.parametrize(("levels", "expected"), LEVELS)
def test_levels_say_what_they_mean(places, levels, expected):
    text = f"id: x\nsteps:\n  generateScore:\n    prompt: '{{{{ run.output | fenced }}}}'\n    levels: {levels}\n"
    assert places(text) == expected
