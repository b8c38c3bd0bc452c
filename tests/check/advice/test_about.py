import pytest

END = "steps:\n  generateScore: {expression: run.output | length}\n"
ASKED = "steps:\n  generateScore:\n    prompt: '{{ run.output | fenced }}'\n"
TESTS = "tests: [{name: a, run: {}, expect: {score: 1}}]\n"
CASES = [
    (f"id: x\n{END}", [("no-description", 1, 1), ("no-tests", 1, 1)]),
    (f"id: x\ndescription: d\n{END}{TESTS}", []),
    (f"id: x\ndescription: d\ntests: []\n{END}", [("no-tests", 3, 1)]),
    (f"id: x\ndescription: d\n{TESTS}{ASKED}", [("no-description", 5, 3)]),
    (f"id: x\ndescription: d\n{TESTS}{ASKED}    description: e\n", []),
    (f"id: x\ndescription: d\ndeprecated: use y\n{TESTS}{END}", [("deprecated-scorer", 3, 1)]),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_scorer_tells_its_readers_what_it_is(problems, text, expected):
    assert [(each.code, each.place.line, each.place.column) for each in problems(text)] == expected


def test_the_messages_name_what_is_missing(problems):
    said = {each.code: each.message for each in problems(f"id: x\n{ASKED}")}
    assert "description" in said["no-description"]
    assert "tests" in said["no-tests"]
