"""A digest moves when a score may move, and stands still otherwise."""

import pytest

from scorerkit import load_scorer
from scorerkit.build.digest import canonical, reduced, sha256

BASE = """
id: s
range: {min: 0, max: 1}
params: {w: {type: number, default: 0.5}}
judge: {model: openai/m, instructions: Be fair.}
prepareRun: {dropGroundTruth: true}
steps:
  analyze:
    prompt: "{{ run.output }}"
    outputSchema: {type: object, properties: {a: {type: string}}}
  generateScore: {expression: params.w}
"""
SAME = {
    "name": "name: Other\n",
    "description": "description: Other\n",
    "version": "version: '2'\n",
    "tags": "tags: [a]\n",
    "deprecated": "deprecated: use another\n",
    "x-": "x-note: mine\n",
    "ignore": "ignore: [no-tests]\n",
    "data": "data: runs.jsonl\n",
    "format version": "scorerkit: 1\n",
    "direction": "direction: maximize\n",
    "tests": "tests: []\n",
}
MOVED = {
    "id": ("id: s", "id: t"),
    "range": ("max: 1}", "max: 2}"),
    "threshold": ("range:", "threshold: 0.5\nrange:"),
    "direction": ("range:", "direction: minimize\nrange:"),
    "default of a param": ("default: 0.5", "default: 0.6"),
    "model": ("openai/m", "openai/n"),
    "instructions": ("Be fair.", "Be strict."),
    "prompt": ("{{ run.output }}", "{{ run.output }}!"),
    "schema": ("type: string", "type: integer"),
    "expression": ("expression: params.w", "expression: params.w + 0"),
    "filter": ("dropGroundTruth", "dropRequestContext"),
}
UNMOVED = {
    "description of a step": ("prompt:", "description: d\n    prompt:"),
    "description of a param": ("default: 0.5", "default: 0.5, description: d"),
    "default of the judge": ("model: openai/m,", "model: openai/m, formatRetries: 1, maxProcessorRetries: 10,"),
    "injection": ("model: openai/m,", "model: openai/m, jsonPromptInjection: auto,"),
    "recordings": ("model: openai/m,", "model: openai/m, recordings: r.jsonl,"),
    "a filter that is off": ("dropGroundTruth: true", "dropGroundTruth: true, dropRequestContext: false"),
    "kept messages": ("dropGroundTruth: true", "dropGroundTruth: true, keep: messages"),
    "spelling": ("{min: 0, max: 1}", "\n  max: 1.0\n  min: 0"),
    "order of keys": ("id: s\nrange", "range"),
}


@pytest.fixture
def digest(write):
    write("runs.jsonl", [{"output": 1}])
    write("r.jsonl", "")

    def of(text):
        return load_scorer(write("s.yaml", text)).digest

    return of


@pytest.mark.parametrize("what", SAME)
def test_what_moves_no_score_moves_no_digest(digest, what):
    assert digest(BASE + SAME[what]) == digest(BASE)


@pytest.mark.parametrize("what", UNMOVED)
def test_defaults_and_descriptions_inside_move_no_digest(digest, what):
    old, new = UNMOVED[what]
    changed = BASE.replace(old, new, 1)
    if what == "order of keys":
        changed += "id: s\n"
    if "keep" in changed:
        changed = changed.replace("range:", "type: agent\nrange:")
        assert digest(changed) == digest(changed.replace(", keep: messages", ""))
        return
    assert digest(changed) == digest(BASE)


@pytest.mark.parametrize("what", MOVED)
def test_what_may_move_a_score_moves_the_digest(digest, what):
    old, new = MOVED[what]
    assert old in BASE
    assert digest(BASE.replace(old, new, 1)) != digest(BASE)


def test_the_content_of_a_file_counts_and_its_name_does_not(digest, write):
    write("a.txt", "Rate {{ run.output }}")
    write("b.txt", "Rate {{ run.output }}")
    write("c.txt", "Rate it: {{ run.output }}")
    of = {name: digest(BASE.replace('"{{ run.output }}"', f"{{file: {name}.txt}}")) for name in "abc"}
    assert of["a"] == of["b"] == digest(BASE.replace('"{{ run.output }}"', '"Rate {{ run.output }}"'))
    assert of["c"] != of["a"]


def test_an_included_template_counts(digest, write):
    write("part.txt", "one")
    text = BASE.replace('"{{ run.output }}"', "\"{% include 'part.txt' %}{{ run.output }}\"")
    before = digest(text)
    write("part.txt", "two")
    assert digest(text) != before


def test_the_source_of_a_function_counts(digest, write, clean):
    text = "id: s\nsteps: {generateScore: {function: mine.score}}\n"
    write("mine.py", "def score(run): return 1\n")
    before = digest(text)
    write("mine.py", "def score(run): return 0\n")
    assert digest(text) != before


def test_both_spellings_of_a_function_are_one(digest, write):
    write("mine.py", "def score(run): return 1\n")
    text = "id: s\nsteps: {generateScore: {function: mine.score}}\n"
    assert digest(text) == digest(text.replace("mine.score", "'mine:score'"))


def test_a_bare_threshold_and_its_bound_are_one(digest):
    bare, bound = "threshold: 0.5\n", "threshold: {min: 0.5}\n"
    assert digest(BASE + bare) == digest(BASE + bound)
    minimal = "direction: minimize\n"
    assert digest(BASE + minimal + bare) == digest(BASE + minimal + "threshold: {max: 0.5}\n")


def test_yaml_and_toml_have_one_digest(digest, write):
    toml = write("s.toml", 'id = "s"\n[range]\nmin = 0\nmax = 1\n[steps.generateScore]\nexpression = "1"\n')
    assert load_scorer(toml).digest == digest(
        "id: s\nrange: {min: 0, max: 1}\nsteps: {generateScore: {expression: '1'}}\n"
    )


def test_the_judge_has_a_digest_without_the_connection(write, clean):
    def judged(**more):
        return load_scorer(write("s.yaml", BASE), **more).plan.judge_digest

    before = judged()
    assert judged(base_url="http://127.0.0.1:1/v1") == before
    assert judged(judge_model="openai/other") != before
    assert load_scorer(write("t.yaml", "id: t\nsteps: {generateScore: {expression: '1'}}\n")).plan.judge_digest is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [1.0, 1e21, 0.1, "é"]}, b'{"a":[1,1e+21,0.1,"\xc3\xa9"],"b":1}'),
        (2**60, b"1152921504606847000"),
    ],
)
def test_the_canonical_form_is_that_of_rfc_8785(value, text):
    assert canonical(value) == text


def test_an_empty_key_is_as_good_as_none():
    step = {"steps": {"generateScore": {"expression": "1"}}}
    assert sha256(reduced({"id": "s", **step})) == sha256(reduced({"id": "s", "judge": {}, "params": {}, **step}))
