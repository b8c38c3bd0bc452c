"""From a path to a plan: everything is right before anything is spent."""

import pytest

from scorerkit.errors import InvalidScorer, ScorerkitError
from scorerkit.library import Found
from scorerkit.loader import check_file, check_files, import_functions, load_file, load_plan, open_project

GOOD = "id: s\ndescription: d\nsteps: {generateScore: {expression: run.output}}\n"
JUDGED = "id: s\nsteps: {generateScore: {prompt: 'Rate {{ run.output | fenced }}'}}\n"


def codes(problems):
    return [(problem.code, problem.severity) for problem in problems]


def checked(write, text, **caller):
    return check_file(write("s.yaml", text), "s.yaml", open_project(**caller))


def test_a_good_file_is_a_plan(write):
    plan = load_file(write("s.yaml", GOOD), open_project())
    assert (plan.id, plan.judged, len(plan.digest)) == ("s", False, 64)


def test_problems_are_named_as_the_caller_named_the_file(write):
    write("s.yaml", "id: s\nstps: {}\n")
    problems = check_file(write("s.yaml", "id: s\nstps: {}\n"), "./s.yaml", open_project()).problems
    assert {problem.path for problem in problems} == {"./s.yaml"}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty-file"),
        (b"\xff\xfe", "unreadable-file"),
        (b"- a\n", "wrong-type"),
        (b"a: [\n", "syntax"),
        (None, "unreadable-file"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_problem(write, project, content, code):
    file = project / "s.yaml"
    if content is not None:
        file.write_bytes(content)
    found = check_file(file, "s.yaml", open_project())
    assert codes(found.problems) == [(code, "error")]
    with pytest.raises(InvalidScorer):
        load_plan(found, open_project())


def test_advice_stops_nobody(write):
    found = checked(write, GOOD)
    assert codes(found.warnings) == [("no-tests", "warning")]
    assert found.errors == []
    assert load_plan(found, open_project()).id == "s"


def test_ignored_codes_are_left_out_of_advice_and_never_of_errors(write):
    assert checked(write, GOOD + "ignore: [no-tests]\n").problems == []
    broken = GOOD.replace("run.output", "run.outptu") + "ignore: [unknown-name]\n"
    assert ("unknown-name", "error") in codes(checked(write, broken).problems)


def test_a_prompt_without_a_model_is_advice_of_check_and_an_error_of_a_run(write, clean):
    found = checked(write, JUDGED)
    assert ("no-judge", "warning") in codes(found.problems)
    with pytest.raises(InvalidScorer) as caught:
        load_plan(found, open_project())
    assert [problem.code for problem in caught.value.problems] == ["no-judge"]
    assert load_plan(found, open_project(), own_judge=True).judged
    assert "no-judge" not in dict(codes(checked(write, JUDGED, judge_model="openai/m").problems))
    clean.setenv("SCORERKIT_JUDGE_MODEL", "openai/m")
    assert "no-judge" not in dict(codes(checked(write, JUDGED).problems))


def test_two_scorers_with_one_id_are_a_warning_of_check(write):
    files = [Found(write(name, GOOD), name) for name in ("a.yaml", "b.yaml")]
    problems = [problem for problem in check_files(files, open_project()) if problem.code == "duplicate-id"]
    [problem] = problems
    assert (problem.path, problem.severity, problem.related[0].path) == ("b.yaml", "warning", "a.yaml")


def test_problems_of_all_files_come_in_reading_order(write):
    files = [Found(write(name, "id: s\nstps: {}\nx: 1\n"), name) for name in ("b.yaml", "a.yaml")]
    places = [(problem.path, problem.place.line) for problem in check_files(files, open_project())]
    assert places == sorted(places)


# -- projects ----------------------------------------------------------------------------------------------------------------


def test_mistakes_in_the_configuration_point_into_it(write):
    write("scorerkit.toml", "[judge]\nmodle = 'x'\n")
    with pytest.raises(InvalidScorer) as caught:
        open_project()
    [problem] = caught.value.problems
    assert (problem.code, problem.path, problem.place.line) == ("unknown-key", "scorerkit.toml", 2)


def test_the_configuration_may_stand_in_pyproject(project, write):
    (project / "scorerkit.toml").unlink()
    write("pyproject.toml", '[tool.scorerkit]\nallowFunctions = ["mypkg"]\n')
    settings = open_project()
    assert settings.namespace(trusted=True).allowed == ("mypkg",)
    assert settings.config_path == "pyproject.toml"


def test_the_root_is_above_the_working_directory(project, write, clean):
    write("deep/er/s.yaml", GOOD)
    clean.chdir(project / "deep/er")
    assert open_project().root == project.resolve()


def test_a_root_that_is_named_wins(project, write):
    write("other/scorerkit.toml", 'allowFunctions = ["x"]\n')
    assert open_project(project / "other").namespace(trusted=True).allowed == ("x",)
    with pytest.raises(InvalidScorer):
        open_project(project / "gone")


def test_the_caller_s_model_hides_the_environment_s(project, clean):
    clean.setenv("SCORERKIT_JUDGE_MODEL", "openai/environment")
    settings = open_project()
    assert (settings.judge_model, settings.judge_model_origin) == ("openai/environment", "SCORERKIT_JUDGE_MODEL")
    assert open_project(judge_model="openai/caller").judge_model == "openai/caller"


@pytest.mark.parametrize("model", ["gpt-4", "openai/", "/x", ""])
def test_a_model_is_a_provider_and_a_name_or_a_profile(project, model):
    with pytest.raises(ScorerkitError, match="neither"):
        open_project().target(model)


# -- functions, imported -----------------------------------------------------------------------------------------------------

CODED = "id: s\ndescription: d\nsteps: {generateScore: {function: mine.score, with: {limit: 1}}}\n"


def imported(write, source):
    write("mine.py", source)
    found = checked(write, CODED)
    return codes(found.errors), codes(import_functions(found.definition, open_project()))


@pytest.mark.parametrize(
    ("source", "read", "imported_"),
    [
        ("def score(run, limit): return 1\n", [], []),
        ("score = lambda run, limit: 1\n", [], []),
        ("score = lambda run: 1\n", [], [("unknown-key", "error")]),
        ("score = 3\n", [], [("unresolved-function", "error")]),
        ("import gone_for_good as score\n", [], [("unresolved-function", "error")]),
        ("def score(limit, other): return 1\n", None, None),
    ],
)
def test_importing_tells_what_the_source_did_not(write, source, read, imported_):
    found = imported(write, source)
    if read is None:
        assert found[0] != []
        return
    assert found == (read, imported_)
