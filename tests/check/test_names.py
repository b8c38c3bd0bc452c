import pytest

PRE = """  preprocess:
    prompt: "{{ run.output | fenced }}"
    outputSchema:
      type: object
      properties:
        claims: {type: array, items: {type: object, properties: {text: {type: string}, right: {type: boolean}}, additionalProperties: false}}
        note: {type: string}
      additionalProperties: false
"""


@pytest.fixture
def tokens(problems):
    """An expression of generateScore (or a prompt of generateReason) → the names that are pointed at."""

    def found(code, *, when="", prompt=False, params=""):
        text = f"id: x\n{params}steps:\n{PRE}{when}"
        if prompt:
            lines = code.replace("\n", "\n      ")
            text += f"  generateScore: {{expression: '1'}}\n  generateReason:\n    prompt: |\n      {lines}\n"
        else:
            text += f"  generateScore:\n    expression: |\n      {code}\n"
        lines = text.split("\n")
        spans = [(each.code, each.place) for each in problems(text) if each.code in ("unknown-name", "maybe-null")]
        return [(code, lines[at.line - 1][at.column - 1 : at.end_column - 1]) for code, at in spans]

    return found


R = "results.preprocessStepResult"
WRONG = [
    ("run.outptu", "outptu"),
    ("run['outptu']", "outptu"),
    ("rnu.output", "rnu"),
    ("score", "score"),
    ("judgeOutput", "judgeOutput"),
    ("run.inputData", "inputData"),
    ("results.analyzeStepResult", "analyzeStepResult"),
    (f"{R}.claim", "claim"),
    (f"{R}.claims[0].txt", "txt"),
    (f"({R}.claims | first).txt", "txt"),
    (f"({R}.claims | sort | last).txt", "txt"),
    (f"{R}.claims | map(attribute='txt') | list", "txt"),
    (f"{R}.claims | map(attribute='text') | first", None),
    (f"({R}.claims | map(attribute='text') | first).x", "x"),
    (f"{R}.claims | selectattr('rigth') | list | length", "rigth"),
    (f"{R}.claims | share('rigth', [true])", "rigth"),
    (f"share({R}.claims, 'rigth', [true])", "rigth"),
    (f"share({R}.claims, key='rigth', values=[true])", "rigth"),
    (f"{R}.claims | map(attribute='a.b') | list", None),
    (f"{R}.claims | map('length') | list", None),
    (f"{R}.note.upper()", None),
    (f"{R}.note.uper()", "uper"),
    (f"{R}.note.x", "x"),
    (f"{R}.get('claims')", None),
    (f"{R}.claims.index(1)", None),
    ("(1 if run.inptu else 2)", "inptu"),
    ("(1 if run.input)", None),
    ("run.input.anything[0].more", None),
    ("run[params.x]", "x"),
    ("[run.inptu, {'a': run.input}]", "inptu"),
    ("run.output is defind", "defind"),
    ("run.output | truncat", "truncat"),
    ("clamp(run.inptu, 0, 1)", "inptu"),
    ("run.input.f(run.inptu)", "inptu"),
    ("range(run.inptu)", "inptu"),
    ("range()", None),
    ("('a' if true else run).inptu", None),
]


@pytest.mark.parametrize(("expression", "token"), WRONG)
def test_a_name_that_cannot_be_is_pointed_at_in_an_expression(tokens, expression, token):
    assert tokens(expression) == ([("unknown-name", token)] if token else [])


PROMPTS = [
    ("{% for c in R.claims %}{{ c.txt }}{% endfor %}", "txt"),
    ("{% for c in R.claims if c.rigth %}{{ c.text }}{% endfor %}", "rigth"),
    ("{% for c in R.claims %}{{ loop.index }}{% else %}{{ c.text }}{% endfor %}", "c"),
    ("{% for a, b in run.input %}{{ a.x }}{{ b.y }}{% endfor %}{{ a }}", "a"),
    ("{% set c = R.claims[0] %}{{ c.txt }}", "txt"),
    ("{% set c %}{{ run.inptu }}{% endset %}{{ c.x }}", "inptu"),
    ("{% with c = R.claims[0] %}{{ c.txt }}{% endwith %}", "txt"),
    ("{% with c = 1 %}{% endwith %}{{ c }}", "c"),
    ("{% macro m(a, b=run.inptu) %}{{ a.x }}{{ b }}{{ varargs }}{% endmacro %}{{ m(1) }}", "inptu"),
    ("{% macro m() %}{{ caller() }}{% endmacro %}{% call(a) m() %}{{ a }}{{ b }}{% endcall %}", "b"),
    ("{% filter upper %}{{ run.inptu }}{% endfilter %}", "inptu"),
    ("{% if run.inptu %}x{% endif %}", "inptu"),
    ("{% set ns = dict(a=1) %}{% set ns.a = run.inptu %}", "inptu"),
    ("{{ score }} {{ results.generateScoreStepResult }}", None),
    ("{{ score.x }}", "x"),
    ("{{ true }} {{ none }} {{ self }}", None),
]


@pytest.mark.parametrize(("prompt", "token"), PROMPTS)
def test_a_name_that_cannot_be_is_pointed_at_in_a_template(tokens, prompt, token):
    assert tokens(prompt.replace("R.", f"{R}."), prompt=True) == ([("unknown-name", token)] if token else [])


def test_imported_names_are_known(tokens, tmp_path):
    (tmp_path / "m.md").write_text("{% macro one(a) %}{{ a }}{% endmacro %}")
    prompt = "{% import 'm.md' as m %}{% from 'm.md' import one, one as two %}{{ m.one(1) }}{{ one(1) }}{{ two(1) }}"
    assert tokens(prompt, prompt=True) == []


GUARDS = [
    (f"{R}.note", True),
    (f"{R}['note']", True),
    (f"{R}.note if {R} else 1", False),
    (f"{R} and {R}.note", False),
    (f"not {R} or {R}.note", False),
    (f"{R}.note | default('')", False),
    (f"{R}.note is defined and {R}.note", False),
    (f"{R} | length", False),
    (f"{R}.note if run.input else 1", True),
]


@pytest.mark.parametrize(("expression", "warned"), GUARDS)
def test_a_result_that_may_be_null_is_read_behind_a_guard(tokens, expression, warned):
    expected = [("maybe-null", "note")] if warned else []
    assert tokens(expression, when="    when: run.input\n") == expected


def test_a_misspelt_param_is_suggested(problems):
    text = "id: x\nparams: {maxWords: {type: integer}}\nsteps: {generateScore: {expression: params.maxWord}}\n"
    assert [each.fix for each in problems(text) if each.severity == "error"] == ["did you mean 'maxWords'?"]


@pytest.mark.parametrize(
    ("schema", "weights", "expected"),
    [
        ("{enum: [yes, no]}", "{'yes': 1, 'no': 0}", []),
        ("{enum: [yes, no]}", "['yes']", []),
        ("{enum: [yes, no]}", "['yess']", ["unknown-value"]),
        ("{enum: [yes, no]}", "{'yes': 1, 'perhaps': 0, 'no': 0}", ["unknown-value"]),
        ("{enum: [yes, no]}", "{'yes': 1}", ["missing-key"]),
        ("{enum: [yes, no, perhaps]}", "{'yess': 1, 'no': 0}", ["missing-key", "unknown-value"]),
        ("{enum: [yes, no]}", "{'yes': 1, params.other: 0}", []),
        ("{enum: [yes, no]}", "params.weights", []),
        ("{type: string}", "{'yess': 1}", []),
        ("{type: boolean}", "{true: 1}", ["missing-key"]),
        ("{type: [boolean, 'null']}", "{true: 1, false: 0, none: 0}", []),
        ("{anyOf: [{const: a}, {enum: [b]}]}", "{'a': 1, 'c': 0}", ["missing-key", "unknown-value"]),
        ("{anyOf: [{const: a}, {type: string}]}", "{'a': 1, 'c': 0}", []),
    ],
)
@pytest.mark.parametrize(
    "form", ["share(X, 'v', {})", "X | share('v', {})", "X | share('v', values={})", "X | share(key='v', values={})"]
)
def test_weights_are_those_of_the_values_that_there_are(problems, schema, weights, expected, form):
    items = f"{{type: object, properties: {{v: {schema}}}, required: [v]}}"
    text = (
        "id: x\njudge: {model: openai/gpt-5-mini-2025-08-07}\n"
        "params: {weights: {type: object, default: {}}, other: {type: string, default: a}}\nsteps:\n  analyze:\n"
        f"    prompt: 'Say {{{{ run.output | fenced }}}}'\n    outputSchema: {{type: array, items: {items}}}\n"
        f'  generateScore:\n    expression: "{form.replace("X", "results.analyzeStepResult").replace("{}", weights)}"\n'
    )
    found = [problem.code for problem in problems(text) if problem.code in ("unknown-value", "missing-key", "syntax")]
    assert sorted(found) == expected
