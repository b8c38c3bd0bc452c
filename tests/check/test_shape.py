import pytest

END = "steps: {generateScore: {expression: run.output | length}}\n"
CASES = [
    ("tags: tone\n", [("wrong-type", 2, 7)]),
    ("tags: [tone, 3]\n", [("wrong-type", 2, 14)]),
    ("tags: ['']\n", [("unknown-value", 2, 8)]),
    ("type: agnet\n", [("unknown-value", 2, 7)]),
    ("type: 3\n", [("wrong-type", 2, 7)]),
    ("type: {}\n", [("unknown-value", 2, 7)]),
    ("direction: 3\n", [("wrong-type", 2, 12)]),
    ("direction: up\n", [("unknown-value", 2, 12)]),
    ("threshold: high\n", [("wrong-type", 2, 12)]),
    ("threshold: {minimum: 1}\n", [("unknown-key", 2, 13)]),
    ("gate: {passRate: 2}\nthreshold: 1\n", [("out-of-range", 2, 18)]),
    ("gate: {maxNotScorable: -1}\n", [("out-of-range", 2, 24)]),
    ("notScorable: []\n", [("unknown-value", 2, 14)]),
    ("notScorable: [{when: 'true'}]\n", [("missing-key", 2, 15)]),
    ("notScorable: [{when: 'true', reason: r, reson: r}]\n", [("unknown-key", 2, 41)]),
    ("params: {a-b: {type: number}}\n", [("unknown-value", 2, 10)]),
    ("params: {a: 3}\n", [("wrong-type", 2, 13)]),
    ("prepareRun: {}\n", [("unknown-value", 2, 13)]),
    ("prepareRun: []\n", [("unknown-value", 2, 13)]),
    ("prepareRun: {with: {a: 1}}\n", [("missing-key", 2, 1)]),
    ("data: {file: a.csv, map: {input: {json: a, expression: b}}}\n", [("exclusive-keys", 2, 44)]),
    ("data: {file: a.csv, map: {input: {jsn: a}}}\n", [("unknown-key", 2, 35)]),
    ("data: {file: a.csv, limit: 0}\n", [("out-of-range", 2, 28)]),
    ("data: {format: csv}\n", [("missing-key", 2, 1)]),
    ("judge: {file: a.yaml, model: openai/x}\n", [("unknown-key", 2, 23)]),
    ("model: openai/x\n", [("unknown-key", 2, 1)]),
    ("anaylze: {expression: '1'}\n", [("unknown-key", 2, 1)]),
    ("analyze: {expression: '1'}\n", [("unknown-key", 2, 1)]),
    ("x-anything: {at: [all]}\n", []),
    ("metrics: [a]\nassert: b\n", [("unknown-key", 2, 1), ("unknown-key", 3, 1)]),
    ("tests: [{name: a, run: {}, expect: {}}]\n", [("unknown-value", 2, 36)]),
    ("tests: [{name: a, run: {}, expect: {scoreBetween: [1]}}]\n", [("unknown-value", 2, 51)]),
    ("tests: [{name: a, run: {}, expect: {scoreBetween: [1, 2, 3]}}]\n", [("unknown-value", 2, 51)]),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_what_does_not_fit_the_format_is_one_problem_at_its_place(places, text, expected):
    assert places(f"id: x\n{text}{END}") == expected


STEPS = [
    ("{prompt: a, function: b}", [("exclusive-keys", 2, 36)]),
    ("{function: a, prompt: b, expression: c}", [("exclusive-keys", 2, 49)]),
    ("{prompt: a, levels: {b: 1, c: 0}, outputSchema: {}}", [("exclusive-keys", 2, 58)]),
    ("{prompt: a, levels: {b: 1}}", [("unknown-value", 2, 44)]),
    ("{prompt: a, levels: {b: {means: x}, c: 1}}", [("missing-key", 2, 45)]),
    ("{prompt: {file: a, function: b}}", [("exclusive-keys", 2, 43)]),
    ("{prompt: {}}", [("missing-key", 2, 25)]),
    ("{prompt: ''}", [("unknown-value", 2, 33)]),
    ("{prompt: a, outputSchema: {}}", [("missing-key", 2, 9)]),
    ("{prompt: a, calculateScore: {expression: '1'}}", [("missing-key", 2, 9)]),
    ("{prompt: a, when: 'true'}", [("unknown-key", 2, 36)]),
    ("{promt: a}", [("unknown-key", 2, 25)]),
    ("{promt: a, judge: {}}", [("unknown-key", 2, 25)]),
    ("{zzz: a}", [("unknown-key", 2, 25)]),
    ("text", [("wrong-type", 2, 24)]),
    ("[a]", [("wrong-type", 2, 24)]),
    ("", [("wrong-type", 2, 24)]),
]


@pytest.mark.parametrize(("step", "expected"), STEPS)
def test_a_step_is_exactly_one_thing(places, step, expected):
    assert places(f"id: x\nsteps: {{generateScore: {step}}}\n") == expected


def test_a_misspelt_required_key_is_one_problem(places):
    assert places("id: x\nsteps: {generateScroe: {expression: '1'}}\n") == [("unknown-key", 2, 9)]
    assert places(f"di: x\n{END}") == [("unknown-key", 1, 1)]


def test_two_unknown_keys_and_a_missing_one_are_three_problems(places):
    codes = [code for code, _, _ in places("id: x\nsteps: {aaaa: {}, bbbb: {}}\n")]
    assert codes == ["missing-key", "unknown-key", "unknown-key"]


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("version: 1.0\n", "put it in quotes"),
        ("threshold: '0.5'\n", "remove the quotes"),
        ("tags: 3\n", None),
        ("judge: {modelSettings: {temperature: -1}}\n", None),
    ],
)
def test_the_fix_of_a_value_says_what_to_type(problems, text, fix):
    [problem] = problems(f"id: x\n{text}{END}")
    assert problem.fix == fix


def test_toml_is_told_in_its_own_words(problems):
    [problem] = problems('id = "x"\ntags = "a"\n[steps.generateScore]\nexpression = "1"\n', "toml")
    assert problem.message == "'tags' must be an array, not a string"


def test_a_project_s_configuration_is_checked_alike(tmp_path):
    from scorerkit.check.shape import check_shape
    from scorerkit.definition import Definition
    from scorerkit.source import parse_document
    from scorerkit.source.project import Territory

    document = parse_document(
        'judg = 1\nmaxErrors = "many"\n', "scorerkit.toml", "toml", file=tmp_path / "scorerkit.toml"
    )
    definition = Definition(document, Territory(tmp_path, document.file), dict(document.value))
    codes = sorted(problem.code for problem in check_shape(definition, "project"))
    assert codes == ["unknown-key", "unknown-value"]
