from __future__ import annotations

import asyncio

import pytest

from scorerkit.loader import check_file, open_project
from scorerkit.main import run
from scorerkit.trials import difference, run_trials

HEAD = """\
id: t
description: x
range: {min: 0, max: 1}
threshold: 0.5
params: {half: {type: number, default: 0.5}}
judge: {model: openai/gpt-5-mini-2025-08-07}
steps:
  analyze:
    description: x
    prompt: "Look at {{ run.output | fenced }}"
    outputSchema: {type: object, properties: {ok: {type: boolean}}, required: [ok]}
  generateScore:
    expression: 1 if results.analyzeStepResult.ok else params.half
  generateReason:
    description: x
    prompt: "Why {{ score }}?"
"""
ANSWERS = "answers: {analyze: {ok: false}, generateReason: Because.}"


def trials_of(tmp_path, *tests):
    (tmp_path / "scorerkit.toml").write_text("")
    text = HEAD + "tests:\n" + "".join(f"  - {{name: t{number}, {test}}}\n" for number, test in enumerate(tests))
    (tmp_path / "t.yaml").write_text(text)
    settings = open_project(tmp_path)
    checked = check_file(tmp_path / "t.yaml", "t.yaml", settings)
    assert checked.errors == []
    return asyncio.run(run_trials(checked, settings))


PASSING = [
    f"run: {{output: a}}, {ANSWERS}, expect: {{score: 0.5, passed: true, reason: Because., status: scored}}",
    f"run: {{output: a}}, params: {{half: 0.25}}, {ANSWERS}, expect: {{score: 0.25, passed: false}}",
    f"run: {{output: a}}, {ANSWERS}, expect: {{scoreBetween: [0.4, 0.6], reason: {{matches: 'B.*e'}}}}",
    f"run: {{output: abc}}, {ANSWERS}, expect: {{promptContains: {{analyze: abc, generateReason: ['0.5', Why]}}}}",
    f"run: {{output: a}}, {ANSWERS}, expect: {{analyzeStepResult: {{ok: false}}}}",
    "run: {output: a}, answers: {analyze: not json}, expect: {status: failed, failedStep: analyze, error: unusable-answer}",
    "run: {output: a}, answers: {analyze: '```json\\n{\"ok\": true}\\n```', generateReason: y}, expect: {score: 1}",
    "run: {output: a}, answers: {analyze: {samples: [{ok: true}]}, generateReason: y}, expect: {score: 1}",
    f"run: {{output: a}}, {ANSWERS}, expect: {{score: 0.5001, tolerance: 0.001}}",
    "run: {output: a}, params: {half: x}, expect: {status: failed}",
    "run: {output: a}, params: {half: x}, expect: {status: failed, error: bad-param}",
]


@pytest.mark.parametrize("test", PASSING)
def test_what_comes_out_as_expected_passes(tmp_path, test):
    assert [trial.differences for trial in trials_of(tmp_path, test)] == [()]


FAILING = [
    (f"run: {{output: a}}, {ANSWERS}, expect: {{score: 1}}", "score: expected 1 (± 1e-09), got 0.5"),
    ("run: {output: a}, expect: {score: 1}", "no answer is given for analyze"),
    ("run: {output: a}, expect: {status: failed}", "no answer is given for analyze"),
    ("run: {output: a}, answers: {analyze: {ok: 1}}, expect: {score: 1}", "the record failed: unusable-answer"),
    (f"run: {{output: a}}, {ANSWERS}, expect: {{reason: Other.}}", "reason: expected 'Other.', got 'Because.'"),
    (f"run: {{output: a}}, {ANSWERS}, expect: {{reason: {{matches: '^x'}}}}", "reason: nothing matches '^x'"),
    (f"run: {{output: a}}, {ANSWERS}, expect: {{status: notScorable}}", "status: expected 'notScorable', got 'scored'"),
    (
        f"run: {{output: a}}, {ANSWERS}, expect: {{analyzeStepResult: {{ok: true}}}}",
        "analyzeStepResult.ok: expected true, got false",
    ),
    (
        f"run: {{output: a}}, {ANSWERS}, expect: {{promptContains: {{analyze: zzz}}}}",
        "promptContains.analyze: 'zzz' is not in",
    ),
    (
        f"run: {{output: a}}, {ANSWERS}, expect: {{promptContains: {{preprocess: zzz}}}}",
        "promptContains.preprocess: the step asked nothing",
    ),
    (f"run: {{output: a}}, params: {{half: x}}, {ANSWERS}, expect: {{score: 1}}", "the scorer cannot be built"),
    ("run: {output: a}, params: {half: x}, expect: {status: failed, error: step-failed}", "cannot be built"),
    (f"run: {{output: a}}, params: {{half: 7}}, {ANSWERS}, expect: {{score: 7}}", "the record failed: out-of-range"),
]


@pytest.mark.parametrize(("test", "difference_"), FAILING)
def test_what_does_not_is_said(tmp_path, test, difference_):
    (trial,) = trials_of(tmp_path, test)
    assert not trial.passed
    assert difference_ in "\n".join(trial.differences)
    assert trial.place == "t.yaml:18"


@pytest.mark.parametrize(
    ("wanted", "found", "expected"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1.0, {"b": 2 + 1e-12}]}, []),
        ({"a": 1}, {"a": True}, ["r.a: expected 1, got true"]),
        ({"a": 1}, {}, ["r.a: expected 1, and it is missing"]),
        ({}, {"a": 1}, ["r.a: not expected, got 1"]),
        ([1, 2], [1], ["r: expected 2 entries, got 1"]),
        (None, 0, ["r: expected null, got 0"]),
        ("1", 1, ["r: expected '1', got 1"]),
    ],
)
def test_a_difference_is_named_at_its_place(wanted, found, expected):
    assert list(difference("r", wanted, found)) == expected


def write(tmp_path, *tests):
    trials_of(tmp_path, *tests)
    return str(tmp_path / "t.yaml")


def test_the_command_exits_with_what_it_found(tmp_path, capsys):
    good, bad = PASSING[0], FAILING[0][0]
    assert run(["test", write(tmp_path, good)]) == 0
    assert run(["test", write(tmp_path, good, bad), "--junit", str(tmp_path / "j.xml")]) == 1
    said = capsys.readouterr().err
    assert "t.yaml:19: fail t: t1\n  score: expected 1 (± 1e-09), got 0.5" in said
    assert "1 passed, 1 failed" in said
    xml = (tmp_path / "j.xml").read_text()
    assert 'tests="2" failures="1"' in xml
    assert 'message="score: expected 1' in xml
    assert run(["test", write(tmp_path, good, bad), "-k", "t0"]) == 0
    assert run(["test", write(tmp_path, good), "-k", "nothing"]) == 5
    (tmp_path / "t.yaml").write_text("id: t\n")
    assert run(["test", str(tmp_path / "t.yaml")]) == 2


pytest_plugins = ["pytester"]


def test_pytest_collects_scorer_files(pytester):
    folder = pytester.path / "scorers"
    folder.mkdir()
    (pytester.path / "scorerkit.toml").write_text("")
    tests = "".join(f"  - {{name: t{number}, {test}}}\n" for number, test in enumerate([PASSING[0], FAILING[0][0]]))
    (folder / "t.yaml").write_text(HEAD + "tests:\n" + tests)
    (folder / "other.yaml").write_text("a: 1\n")
    outcome = pytester.runpytest_inprocess("scorers")
    outcome.assert_outcomes(passed=1, failed=1)
    outcome.stdout.fnmatch_lines(["*t.yaml:19: score: expected 1*"])


def test_pytest_says_what_is_wrong_with_a_file(pytester):
    (pytester.path / "scorerkit.toml").write_text("")
    (pytester.path / "bad.yaml").write_text(HEAD.replace("threshold", "threshhold") + "tests: []\n")
    outcome = pytester.runpytest_inprocess("bad.yaml")
    outcome.assert_outcomes(errors=1)
    outcome.stdout.fnmatch_lines(["*unknown-key*threshhold*"])
