import pytest


def scorer(schema, where="output"):
    steps = "steps: {generateScore: {expression: run.output | default('') | length}}\n"
    return f"id: x\ntype: {{{where}: {schema}}}\n{steps}"


BAD = "bad-output-schema"
CASES = [
    ("{type: int}", [(BAD, 2, 23)]),
    ("{type: [string, txt]}", [(BAD, 2, 32)]),
    ("{type: thing}", [(BAD, 2, 23)]),
    ("{type: 3}", [(BAD, 2, 23)]),
    ("{typ: string}", [(BAD, 2, 17)]),
    ("{x-note: fine}", []),
    ("{properties: {a: {typ: string}}}", [(BAD, 2, 34)]),
    ("{items: {typ: string}}", [(BAD, 2, 25)]),
    ("{anyOf: [{}, {typ: string}]}", [(BAD, 2, 30)]),
    ("{anyOf: [true, {type: string}], items: true}", []),
    ("{properties: 3}", [(BAD, 2, 29)]),
    ("{required: [a, a]}", [(BAD, 2, 27)]),
    ("{minLength: -1}", [(BAD, 2, 28)]),
    ("{multipleOf: 0}", [(BAD, 2, 29)]),
    ("{$ref: '#/$defs/a'}", [(BAD, 2, 23)]),
    ("{$ref: '#/$defs/a', $defs: {a: {type: string}}}", []),
    ("{$ref: '#/$defs/a~1b', $defs: {a/b: {}}}", []),
    ("{$ref: '#/anyOf/1', anyOf: [{}, {}]}", []),
    ("{$ref: '#/anyOf/2', anyOf: [{}, {}]}", [(BAD, 2, 23)]),
    ("{$ref: '#', type: object}", []),
    ("{$ref: '#here', $defs: {a: {$anchor: here}}}", []),
    ("{$ref: 3}", [(BAD, 2, 23)]),
    ("{$ref: other.json}", [("unreadable-file", 2, 23)]),
    ("{$ref: 'https://example.com/a.json'}", [(BAD, 2, 23)]),
    ("{pattern: '(?=a)'}", [("bad-pattern", 2, 26)]),
    ("{pattern: '('}", [("bad-pattern", 2, 26)]),
    ("{patternProperties: {'(?=a)': {}}}", [("bad-pattern", 2, 37)]),
    ("{pattern: 3}", [(BAD, 2, 26)]),
    ("{$schema: 'http://json-schema.org/nothing#'}", []),
    ("{$ref: '#nowhere'}", [(BAD, 2, 8)]),
    ("{$dynamicRef: 'https://example.com/a.json'}", [(BAD, 2, 8)]),
]


@pytest.mark.parametrize(("schema", "expected"), CASES)
def test_a_mistake_in_a_schema_is_one_problem_at_its_place(places, schema, expected):
    assert places(scorer(schema)) == expected


def step(schema):
    return (
        f"id: x\nsteps:\n  analyze:\n    prompt: '{{{{ run.output | fenced }}}}'\n    outputSchema: {schema}\n"
        "  generateScore: {expression: results.analyzeStepResult | length}\n"
    )


STEPS = [
    ("{type: object, properties: {ab: {}}, required: [ac]}", [(BAD, 5, 67)]),
    ("{type: object, properties: {ab: {}}, required: [ab]}", []),
    ("{type: object, required: [ac]}", []),
]


@pytest.mark.parametrize(("schema", "expected"), STEPS)
def test_the_judge_is_told_of_every_required_field(places, schema, expected):
    assert places(step(schema)) == expected


def test_records_may_require_what_no_property_describes(places):
    assert places(scorer("{properties: {ab: {}}, required: [ac]}")) == []


def test_a_schema_of_a_param_has_its_own_code(places):
    text = "id: x\nparams: {a: {type: int}}\nsteps: {generateScore: {expression: params.a + (run.output | length)}}\n"
    assert places(text) == [("bad-param", 2, 20)]


def test_a_schema_in_a_file_is_pointed_at_there(problems, tmp_path):
    (tmp_path / "a.json").write_text('{\n  "type": "int"\n}\n')
    [problem] = [each for each in problems(scorer("{file: a.json}")) if each.severity == "error"]
    assert (problem.path, problem.place.line, problem.place.column) == ("a.json", 2, 11)


@pytest.mark.parametrize(
    ("schema", "default", "words"),
    [
        ("type: number", "a", "it must be a number"),
        ("type: [string, array]", "3", "it must be text or a list"),
        ("maximum: 1", "2", "it must be at most 1"),
        ("exclusiveMinimum: 1", "1", "it must be above 1"),
        ("enum: [a, b]", "c", "it must be one of 'a', 'b'"),
        ("minItems: 1", "[]", "it breaks the rule 'minItems'"),
    ],
)
def test_a_default_that_does_not_fit_is_told_in_the_author_s_words(problems, schema, default, words):
    text = (
        f"id: x\nparams: {{a: {{{schema}, default: {default}}}}}\nsteps: {{generateScore: {{expression: params.a}}}}\n"
    )
    [problem] = [each for each in problems(text) if each.severity == "error"]
    assert (problem.code, problem.message) == ("bad-param", f"the default of 'a' does not fit its schema: {words}")
