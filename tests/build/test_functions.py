import pytest

from scorerkit import load_scorer
from scorerkit.errors import InvalidScorer, ScorerkitError


@pytest.fixture
def load(write):
    def loaded(function, source=None, name="mine.py", **more):
        if source is not None:
            write(name, source)
        return load_scorer(write("s.yaml", f"id: s\nsteps: {{generateScore: {{function: {function}}}}}\n"), **more)

    return loaded


def test_a_function_of_the_project_is_imported_and_called(load):
    scorer = load("pkg.mine.score", "def score(run):\n    return run.output\n", "pkg/mine.py")
    assert scorer.run_sync(output=3).score == 3


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import gone_for_good\ndef score(): return 1\n", "gone_for_good"),
        ("1 / 0\ndef score(): return 1\n", "ZeroDivisionError"),
        ("import sys\nsys.exit(3)\ndef score(): return 1\n", "SystemExit"),
        ("from os import path\nscore = 3\n", "score"),
    ],
)
def test_a_module_that_cannot_be_imported_is_one_problem_with_its_place(load, source, words):
    with pytest.raises(InvalidScorer) as caught:
        load("mine.score", source)
    [problem] = caught.value.problems
    assert (problem.code, problem.place.line) == ("unresolved-function", 2)
    assert words in problem.message


def test_a_function_that_is_not_allowed_is_not_imported(load):
    with pytest.raises(InvalidScorer) as caught:
        load("json.dumps")
    assert caught.value.problems[0].code == "function-not-allowed"
    with pytest.raises(ScorerkitError):
        load("antigravity.geohash")


def test_an_installed_module_may_be_allowed_by_name(write):
    text = "id: s\nsteps: {generateScore: {function: textwrap.dedent, with: {text: ' x'}}}\n"
    file = write("s.yaml", text)
    assert load_scorer(file, allow_functions=["textwrap"]).run_sync(output=1).error["code"] == "bad-score"
    write("scorerkit.toml", 'allowFunctions = ["textwrap"]\n')
    assert load_scorer(file).run_sync(output=1).error["message"].startswith("generateScore gave 'x'")


def test_a_module_that_hides_a_known_one_is_found_in_the_project(load):
    scorer = load("statistics_of_mine.score", "def score(): return 7\n", "statistics_of_mine.py")
    assert scorer.run_sync(output=1).score == 7
