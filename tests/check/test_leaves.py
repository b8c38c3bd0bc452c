import pytest

END = "steps: {generateScore: {expression: run.output | length}}\n"
CASES = [
    ("direction: up", "'direction' cannot be 'up'", "use one of 'maximize', 'minimize'"),
    ("direction: maximise", "'direction' cannot be 'maximise'", "did you mean 'maximize'?"),
    ("judge: {maxProcessorRetries: -1}", "'maxProcessorRetries' is -1; it must be at least 0", None),
    ("judge: {modelSettings: {topP: 2}}", "'topP' is 2; it must be at most 1", None),
    ("name: ''", "'name' is empty", "say what it is, or remove it"),
    (
        "tests: [{name: a, run: {}, expect: {scoreBetween: [1]}}]",
        "'scoreBetween' has 1 entries; there must be at least 2",
        None,
    ),
    (
        "params: {1a: {}}",
        "'1a' cannot be the name of a param",
        "use letters, digits and '_', not beginning with a digit",
    ),
]


@pytest.mark.parametrize(("line", "message", "fix"), CASES)
def test_a_refused_value_is_told_with_what_is_allowed(problems, line, message, fix):
    [problem] = problems(f"id: x\n{line}\n{END}")
    assert (problem.message, problem.fix) == (message, fix)


def test_an_id_says_which_characters_it_may_have(problems):
    [problem] = problems(f"id: a b\n{END}")
    assert problem.fix == "use letters, digits, '.', '_', '-' and '/'"
