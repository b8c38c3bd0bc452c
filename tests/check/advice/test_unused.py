import pytest

MODULE = """
def whole(run, results, params): ...
def run_only(run): ...
def params_only(params): ...
def nothing(): ...
def everything(**given): ...
def judged(judge_output, analyze_step_result): ...
imported = whole
"""


def scorer(steps, head=""):
    return f"id: x\n{head}steps:\n" + "".join(f"  {step}\n" for step in steps)


SCORE = "generateScore: {expression: run.output | length}"
ASKED = "prompt: '{{ run.output | fenced }}', outputSchema: {type: array}"
PARAM = "params: {p: {type: number, default: 1}}\n"
CASES = [
    ([SCORE], "judge: {model: openai/x}\n", [("unused-judge", 2, 1)]),
    (
        [f"preprocess: {{{ASKED}}}", "generateScore: {expression: results.preprocessStepResult | length}"],
        "judge: {model: openai/x}\n",
        [],
    ),
    (["generateScore: {expression: run.input | length}"], "", [("output-unused", 3, 3)]),
    (["generateScore: {expression: \"run['output'] | length\"}"], "", []),
    (["generateScore: {expression: run | length}"], "", []),
    (["generateScore: {expression: run.get('output') | length}"], "", []),
    (["generateScore: {function: m.nothing}"], "", [("output-unused", 3, 3)]),
    (["generateScore: {function: m.run_only}"], "", []),
    (["generateScore: {function: m.everything}"], "", []),
    (["generateScore: {function: m.imported}"], "", []),
    (["generateScore: {expression: '1'}"], "prepareRun: {function: m.run_only}\n", []),
    (
        ["generateScore: {expression: run.metadata | length}"],
        "prepareRun: {expression: \"{'metadata': run.output}\"}\n",
        [],
    ),
    (["preprocess: {expression: run.output}", SCORE], "", [("unused-result", 3, 3)]),
    (["preprocess: {expression: run.output}", "generateScore: {expression: results | length}"], "", []),
    (["preprocess: {expression: run.output}", "generateScore: {function: m.whole}"], "", []),
    (["preprocess: {expression: run.output}", "generateScore: {function: m.run_only}"], "", [("unused-result", 3, 3)]),
    (["preprocess: {expression: run.output or not_scorable('empty')}", SCORE], "", []),
    (["preprocess: {expression: \"run.output or 'empty' | fail\"}", SCORE], "", []),
    (
        ["preprocess: {expression: run.output}", SCORE],
        "notScorable: [{when: not results.preprocessStepResult, reason: r}]\n",
        [],
    ),
    (
        [
            "analyze: {expression: run.output}",
            f"generateScore: {{{ASKED}, calculateScore: {{expression: analyzeStepResult | length}}}}",
        ],
        "",
        [],
    ),
    (
        ["analyze: {expression: run.output}", f"generateScore: {{{ASKED}, calculateScore: {{function: m.judged}}}}"],
        "",
        [],
    ),
    (
        ["analyze: {expression: run.output}", f"generateScore: {{{ASKED}, calculateScore: {{function: m.run_only}}}}"],
        "",
        [("unused-result", 3, 3)],
    ),
    ([SCORE], PARAM, [("unused-param", 2, 10)]),
    (["generateScore: {expression: params.p + (run.output | length)}"], PARAM, []),
    (["generateScore: {expression: \"params['p'] + (run.output | length)\"}"], PARAM, []),
    (["generateScore: {expression: params | length + (run.output | length)}"], PARAM, []),
    (["generateScore: {function: m.whole}"], PARAM, []),
    (["generateScore: {function: m.run_only}"], PARAM, [("unused-param", 2, 10)]),
    ([f"generateScore: {{{ASKED.partition(',')[0]}}}"], PARAM + "judge: {instructions: 'Mind {{ params.p }}'}\n", []),
]


@pytest.mark.parametrize(("steps", "head", "expected"), CASES)
def test_what_nobody_looks_at_is_pointed_at(places, tmp_path, steps, head, expected):
    (tmp_path / "m.py").write_text(MODULE)
    assert places(scorer(steps, head)) == expected


def test_the_message_about_an_unused_judge_names_the_judge(problems):
    found = problems(scorer([SCORE], "judge: {model: openai/x}\n"))
    assert any("judge" in each.message for each in found if each.code == "unused-judge")


def test_an_included_file_reads_too(places, tmp_path):
    (tmp_path / "part.md").write_text("{{ params.p }} {{ run.output | fenced }}")
    assert places(scorer(["generateScore: {prompt: \"{% include 'part.md' %}\"}"], PARAM)) == []
