"""Where scorers are found: a path, a folder, a glob, an id."""

import pytest

from scorerkit.errors import InvalidScorer, ScorerkitError
from scorerkit.library import find_id, find_scorers, known, scorers_in
from scorerkit.loader import open_project

SCORER = "id: {}\nsteps: {{generateScore: {{expression: '1'}}}}\n"


@pytest.fixture
def scorers(project, write):
    for name in ("scorers/b.yaml", "scorers/a.toml", "scorers/deep/c.yml", "elsewhere/d.yaml"):
        stem = name.rpartition("/")[2].partition(".")[0]
        toml = f'id = "{stem}"\n[steps.generateScore]\nexpression = "1"\n'
        write(name, toml if name.endswith("toml") else SCORER.format(stem))
    write("scorers/prompts/notes.yaml", "just: data\n")
    write("scorers/.hidden/e.yaml", SCORER.format("e"))
    write("scorers/scorerkit.toml", 'id = "x"\n')
    write("scorers/readme.md", "id: x\n")
    return project


def found(*words):
    return [each.shown for each in find_scorers(words, open_project())]


def test_a_path_is_taken_as_it_is_written(scorers):
    assert found("elsewhere/d.yaml", "./scorers/b.yaml") == ["elsewhere/d.yaml", "./scorers/b.yaml"]


def test_a_path_that_is_not_there_is_a_matter_of_reading_it(scorers):
    assert found("gone.yaml") == ["gone.yaml"]


def test_a_folder_holds_its_scorers_in_order_of_names(scorers):
    assert found("scorers") == ["scorers/a.toml", "scorers/b.yaml", "scorers/deep/c.yml"]
    assert [each.file.name for each in scorers_in(scorers / "scorers")] == ["a.toml", "b.yaml", "c.yml"]


def test_a_glob_selects_scorer_files(scorers):
    assert found("scorers/*") == ["scorers/a.toml", "scorers/b.yaml"] or "scorers/scorerkit.toml" in found("scorers/*")
    assert found("scorers/**/*.y*ml") == ["scorers/b.yaml", "scorers/deep/c.yml", "scorers/prompts/notes.yaml"]


def test_a_file_that_is_named_twice_is_taken_once(scorers):
    assert found("scorers/b.yaml", "scorers", "b") == ["scorers/b.yaml", "scorers/a.toml", "scorers/deep/c.yml"]


def test_an_id_is_looked_up_in_the_project(scorers):
    [one] = find_scorers(["c"], open_project())
    assert (one.file, one.origin) == (scorers / "scorers/deep/c.yml", "project")
    assert find_id("c", open_project()) == one.file
    assert find_id("gone", open_project()) is None


def test_folders_of_the_configuration_are_looked_through(scorers, write):
    write("scorerkit.toml", 'library = ["elsewhere"]\n')
    assert found("d") == ["elsewhere/d.yaml"]
    with pytest.raises(ScorerkitError):
        found("b")


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("bb", "neither a file nor the id"),
        ("scorers/prompts", "holds no scorer file"),
        ("nothing/*.yaml", "no scorer file matches"),
        ("scorers/*.md", "no scorer file matches"),
        ("x" * 5000, "cannot be looked up"),
        ("a\0b", "cannot be looked up"),
    ],
    ids=["id", "folder", "glob", "suffix", "long", "nul"],
)
def test_a_word_that_means_nothing_is_an_error(scorers, word, words):
    with pytest.raises(ScorerkitError, match=words) as caught:
        found(word)
    assert caught.value.code == "unreadable-file"


def test_a_misspelt_id_gets_a_suggestion(scorers, write):
    write("scorers/tone.yaml", SCORER.format("politeness"))
    with pytest.raises(ScorerkitError) as caught:
        found("politness")
    assert "'politeness'" in caught.value.fix


def test_an_id_that_two_files_have_means_neither(scorers, write):
    write("scorers/twin.yaml", SCORER.format("b"))
    with pytest.raises(InvalidScorer) as caught:
        found("b")
    [problem] = caught.value.problems
    assert problem.code == "duplicate-id"
    assert "scorers/b.yaml" in problem.message
    assert "scorers/twin.yaml" in problem.message


def test_files_without_an_id_are_known_to_nobody(scorers, write):
    write("scorers/broken.yaml", "id: [\nsteps:\n")
    write("scorers/number.yaml", "id: 3\nsteps: {}\n")
    assert [name for name, each in known(open_project()) if each.origin == "project"] == ["a", "b", "c"]


def test_the_project_comes_before_the_library(scorers, write):
    shipped = [name for name, each in known(open_project()) if each.origin == "library"]
    for name in shipped[:1]:
        write("scorers/mine.yaml", SCORER.format(name))
        assert find_scorers([name], open_project())[0].origin == "project"
