import pytest

PREPROCESS = """
  preprocess:
    prompt: "{{ run.output | fenced }}"
    outputSchema:
      type: object
      properties:
        claims: {type: array, items: {type: string}}
        kinds: {type: array, items: {enum: [fact, opinion]}}
        count: {type: integer}
        sure: {type: boolean}
        parts: {type: array, items: {type: object, properties: {text: {type: string}, kind: {enum: [a, b]}}}}
  analyze:
    expression: "{'n': run.output | length, 'text': run.output, 'both': results.preprocessStepResult.claims, 'k': 1}"
"""


def text_of(prompt, steps=PREPROCESS, more=""):
    lines = "\n".join(f"      {line}" for line in prompt.split("\n"))
    return (
        f"id: x\n{more}steps:{steps}  generateScore: {{expression: '1'}}\n  generateReason:\n    prompt: |\n{lines}\n"
    )


@pytest.fixture
def unfenced(problems):
    """Prompt of generateReason → (line in the prompt, token) of each warning."""

    def found(prompt, **more):
        text = text_of(prompt, **more)
        start = text.split("\n").index("    prompt: |") + 1
        lines = text.split("\n")
        return [
            (each.place.line - start, lines[each.place.line - 1][each.place.column - 1 : each.place.end_column - 1])
            for each in problems(text)
            if each.code == "unfenced-data"
        ]

    return found


LOOSE = [
    ("{{ run.output }}", "run.output"),
    ("{{ run.input.question }}", "run.input.question"),
    ("{{ run.groundTruth }}", "run.groundTruth"),
    ("{{ run.metadata['note'] }}", "run.metadata"),
    ("{{ run }}", "run"),
    ("{{ results }}", "results"),
    ("{{ run.output | assistant_message }}", "run.output"),
    ("{{ assistant_message(run.output) }}", "run.output"),
    ("{{ run.output.strip() }}", "run.output"),
    ("{{ run.output[0] }}", "run.output"),
    ("{{ 'so: ' ~ run.output }}", "run.output"),
    ("{{ 'so: ' + run.output }}", "run.output"),
    ("{{ run.output or 'none' }}", "run.output"),
    ("{{ run.output if score else 'none' }}", "run.output"),
    ("{{ 'none' if run.input else run.output }}", "run.output"),
    ("{{ run.output if run.input }}", "run.output"),
    ("{{ 'x' | replace('x', run.input) }}", "run.input"),
    ("{{ {run.input: 1, 'b': run.output} }}", "run.input"),
    ("{{ {'a': 1, 'b': run.output} }}", "run.output"),
    ("{{ [1, run.output] }}", "run.output"),
    ("{{ results.preprocessStepResult }}", "results.preprocessStepResult"),
    ("{{ results.preprocessStepResult.claims | join(', ') }}", "results.preprocessStepResult.claims"),
    ("{{ results.preprocessStepResult.claims | first }}", "results.preprocessStepResult.claims"),
    ("{{ results.preprocessStepResult.claims[0] }}", "results.preprocessStepResult.claims"),
    ("{{ results.preprocessStepResult.parts | map(attribute='text') | join }}", "results.preprocessStepResult.parts"),
    ("{{ results.preprocessStepResult | json }}", "results.preprocessStepResult"),
    ("{{ results.analyzeStepResult.text }}", "results.analyzeStepResult.text"),
    ("{{ results.analyzeStepResult.both | list }}", "results.analyzeStepResult.both"),
    ("{{ results.analyzeStepResult }}", "results.analyzeStepResult"),
    ("{% for m in run.output %}{{ m.content }}{% endfor %}", "m.content"),
    ("{% for k, v in run.metadata.items() %}{{ v }}{% endfor %}", "v"),
    ("{% for c in results.preprocessStepResult.claims %}{{ c }}{% endfor %}", "c"),
    ("{% for c in [] %}{% else %}{{ run.input }}{% endfor %}", "run.input"),
    ("{% for p in results.preprocessStepResult.parts %}{{ p.text }}{% endfor %}", "p.text"),
    ("{% set x = run.output %}{{ x | upper }}", "x"),
    ("{% set x %}a {{ run.output }}{% endset %}{{ x }}", "x"),
    ("{% set x | upper %}a {{ run.output }}{% endset %}{{ x }}", "x"),
    ("{% with x = run.output %}{{ x }}{% endwith %}", "x"),
    ("{% if run.output %}{{ run.output }}{% endif %}", "run.output"),
    ("{% if score %}{% elif 1 %}{{ run.input }}{% else %}{% endif %}", "run.input"),
    ("{% filter upper %}{{ run.output }}{% endfilter %}", "run.output"),
    ("{% block a %}{{ run.output }}{% endblock %}", "run.output"),
]


@pytest.mark.parametrize(("prompt", "token"), LOOSE)
def test_text_of_a_record_without_markers_is_pointed_at(unfenced, prompt, token):
    found = unfenced(prompt)
    assert len(found) == 1
    assert found[0][1] == token


FINE = [
    "{{ run.output | fenced }}",
    "{{ fenced(run.output) }}",
    "{{ run.output | assistant_message | fenced('answer') }}",
    "{{ run.output | fenced | indent }}",
    "{{ run.runId }} {{ score }} {{ score | round(2) }}",
    "{{ run.output | length }} {{ run.output | words | length }} {{ similarity(run.input, run.output) }}",
    "{{ run.output == run.groundTruth }} {{ run.output is string }} {{ not run.output }}",
    "{{ 'yes' if run.groundTruth else 'no' }}",
    "{{ results.preprocessStepResult.count }} {{ results.preprocessStepResult.sure }}",
    "{{ results.preprocessStepResult.kinds | join(', ') | upper }}",
    "{{ results.preprocessStepResult.parts | map(attribute='kind') | join }}",
    "{{ results.preprocessStepResult.claims | map('length') | join }}",
    "{{ results.analyzeStepResult.n }} {{ results.analyzeStepResult.k }}",
    "{{ results.generateScoreStepResult }}",
    "{% if run.output %}there is one{% endif %}",
    "{% for m in run.output %}{{ loop.index }} {{ m.role }}: {{ m.content | fenced }}{% endfor %}",
    "{% for p in results.preprocessStepResult.parts %}{{ p.kind }}{% endfor %}",
    "{% set x %}{{ run.output }}{% endset %}{{ x | fenced }}",
    "{% set x | fenced %}{{ run.output }}{% endset %}{{ x }}",
    "{% set x = run.output | fenced %}{{ x }}",
    "{% filter fenced %}{{ run.output }}{% endfilter %}",
    "{% filter upper | fenced %}{{ run.output }}{% endfilter %}",
    "{% macro one(text) %}{{ text | fenced }}{% endmacro %}{{ one(run.output) }}",
    "{% macro one() %}{{ caller() }}{% endmacro %}{% call one() %}{{ run.output }}{% endcall %}",
    "{% set a, b = [1, 2] %}{{ a }}",
    "{% set ns = dict(a=1) %}{% set ns.a = run.output %}",
    "{{ ({'a': fenced}).a(run.output) }} {{ [fenced][0](run.output) }}",
    "{{ dict(a=1) }} {{ range(3) | list }} {{ [1, 2] | first }} {{ (fenced or fenced)('x') }}",
    "no code at all, {# {{ run.output }} #} {% raw %}{{ run.output }}{% endraw %}",
]


@pytest.mark.parametrize("prompt", FINE)
def test_markers_numbers_choices_and_params_are_fine(unfenced, prompt):
    assert unfenced(prompt) == []


def test_params_are_the_authors_own(unfenced):
    assert unfenced("{{ params.tone }}", more="params: {tone: {type: string}}\n") == []


def test_a_closed_type_of_a_record_is_no_text(unfenced):
    assert unfenced("{{ run.input }}", more="type: {input: {type: number}}\n") == []
    assert unfenced("{{ run.input }}", more="type: {input: {type: string}}\n") == [(1, "run.input")]


def test_the_result_of_a_function_may_be_anything(unfenced, tmp_path):
    (tmp_path / "m.py").write_text("def f(run):\n    return 1\n")
    assert unfenced("{{ results.preprocessStepResult }}", steps="\n  preprocess: {function: m.f}\n") == []


def test_each_name_is_said_once_a_line(unfenced):
    assert unfenced("{{ run.output }} {{ run.output }}\n{{ run.input }}") == [(1, "run.output"), (2, "run.input")]


def test_instructions_and_included_files_are_prompts_too(problems, tmp_path):
    (tmp_path / "part.md").write_text("Rules.\n{{ run.output }}\n")
    text = (
        "id: x\njudge: {model: a, instructions: 'Judge {{ run.input }}.'}\nsteps:\n"
        "  generateScore:\n    prompt: \"{% include 'part.md' %}\"\n"
    )
    found = [each for each in problems(text.replace("model: a", "model: openai/x")) if each.code == "unfenced-data"]
    assert [(each.path, each.place.line, each.place.column) for each in found] == [("part.md", 2, 4), ("s.yaml", 2, 50)]
