import pytest

from scorerkit.check.patterns import pattern_fault

END = "steps: {generateScore: {prompt: '{{ run.output | fenced }}'}}\n"
CASES = [
    ("judge: {inputProcessors: [{use: redact, with: {patterns: [a, '(']}}]}\n", [("bad-pattern", 2, 62)]),
    ("judge: {outputProcessors: [{use: extractNumber, with: {pattern: '(?=a)'}}]}\n", [("bad-pattern", 2, 65)]),
    ("judge: {outputProcessors: [{use: mapLabels, with: {labels: {'(': 1}}}]}\n", []),
    ("judge: {errorProcessors: [{use: streamErrorRetry, with: {matchers: ['(', {match: '['}, {status: [1]}]}}]}\n",
     [("bad-pattern", 2, 69), ("bad-pattern", 2, 82)]),
    ("tests: [{name: a, run: {}, expect: {reason: {matches: '('}}}]\n", [("bad-pattern", 2, 55)]),
    ("tests: [{name: a, run: {}, expect: {reason: '('}}]\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), CASES)
def test_a_pattern_of_the_wrong_engine_is_pointed_at(places, line, expected):
    assert places(f"id: x\n{line}{END}") == expected


def test_the_patterns_of_a_step_s_judge_are_looked_at(places):
    judge = "judge: {outputProcessors: [{use: extractNumber, with: {pattern: '('}}]}"
    text = f"id: x\nsteps: {{generateScore: {{prompt: '{{{{ run.output | fenced }}}}', {judge}}}}}\n"
    assert [code for code, _, _ in places(text)] == ["bad-pattern"]


@pytest.mark.parametrize("pattern", ["a+", r"\d{1,3}", "(?i)é", "[^\\n]*"])
def test_patterns_of_the_linear_engine_are_taken(pattern):
    assert pattern_fault(pattern) is None


@pytest.mark.parametrize("pattern", ["(?<=a)b", r"(a)\1", "(", "a{9999}"])
def test_other_patterns_are_refused_with_a_reason(pattern):
    assert pattern_fault(pattern)
