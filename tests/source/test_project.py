from __future__ import annotations

import pathlib

import pytest

from scorerkit.source.project import Project, Territory, find_project


def project(cwd, explicit=None) -> Project:
    found = find_project(cwd, explicit)
    assert isinstance(found, Project), found
    return found


@pytest.mark.parametrize("mark", ["scorerkit.toml", "pyproject.toml", ".git"])
def test_the_nearest_marked_ancestor_is_the_root(tmp_path, mark):
    (tmp_path / "scorerkit.toml").touch()
    root = tmp_path / "a"
    (root / "b" / "c").mkdir(parents=True)
    (root / mark).touch()
    assert project(root / "b" / "c") == Project(root.resolve())


def test_configuration_comes_from_its_own_file_first(tmp_path):
    (tmp_path / "scorerkit.toml").write_text('store = "x"\n')
    (tmp_path / "pyproject.toml").write_text('[tool.scorerkit]\nstore = "y"\n')
    found = project(tmp_path)
    assert found.config_file == tmp_path.resolve() / "scorerkit.toml"
    assert found.config is not None
    assert found.config.value == {"store": "x"}


def test_a_table_of_pyproject_has_right_places_and_the_rest_is_free(tmp_path):
    (tmp_path / "scorerkit.toml").write_text("# nothing yet\n")
    (tmp_path / "pyproject.toml").write_text('[project]\ndate = 2024-01-01\n[tool.scorerkit]\nstore = "y"\n')
    config = project(tmp_path).config
    assert config is not None
    assert config.value == {"store": "y"}
    assert config.value_place(("store",))[:2] == (4, 9)
    assert config.key_place(())[:2] == (3, 7)
    assert config.key_place(("nope",))[:2] == (3, 7)


@pytest.mark.parametrize("text", ["", "[project]\nname = 'x'\n", "[tool]\nscorerkit = {}\n"])
def test_a_project_may_lack_configuration(tmp_path, text):
    (tmp_path / "pyproject.toml").write_text(text)
    assert project(tmp_path) == Project(tmp_path.resolve())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a = b\n", "syntax"),
        ("[tool]\nscorerkit = 1\n", "wrong-type"),
        ("[tool.scorerkit]\na = 2024-01-01\n", "wrong-type"),
    ],
)
def test_bad_configuration_is_a_problem(tmp_path, text, code):
    (tmp_path / "pyproject.toml").write_text(text)
    problems = find_project(tmp_path, None)
    assert isinstance(problems, list)
    assert [problem.code for problem in problems] == [code]


def test_a_project_can_be_named(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert project(tmp_path, pathlib.Path("a/b")).root == (tmp_path / "a" / "b").resolve()
    problems = find_project(tmp_path, pathlib.Path("zzz"))
    assert isinstance(problems, list)


@pytest.fixture
def places(tmp_path):
    root = tmp_path.resolve() / "project"
    outside = tmp_path.resolve() / "outside"
    for folder in (root / "scorers" / "prompts", root / ".hidden", root / ".ci" / "prompts", outside / "below"):
        folder.mkdir(parents=True)
    for file in (root / "a.md", root / ".env", outside / "secret", root / "scorers" / "prompts" / "p.md"):
        file.write_text("x")
    links = {
        "scorers/out": outside,
        "scorers/out.md": outside / "secret",
        "scorers/env": root / ".env",
        "scorers/up": "../a.md",
        "scorers/far": "../../outside/secret",
        "scorers/absolute": root / "a.md",
        "scorers/loop": "loop",
        "scorers/dir": "prompts",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    return root, outside


GOOD = [
    ("prompts/p.md", "scorers/prompts/p.md"),
    ("./prompts/../prompts/p.md", "scorers/prompts/p.md"),
    ("../a.md", "a.md"),
    ("up", "a.md"),
    ("absolute", "a.md"),
    ("dir/p.md", "scorers/prompts/p.md"),
    ("dir/../up", "a.md"),
    ("not-there.md", "scorers/not-there.md"),
    ("a..b/c", "scorers/a..b/c"),
]


@pytest.mark.parametrize(("written", "real"), GOOD)
def test_paths_inside_the_project_are_resolved(places, written, real):
    root, _ = places
    territory = Territory(root, root / "scorers" / "s.yaml")
    assert territory.trusted
    assert territory.resolve(root / "scorers", written) == root / real


REFUSED = [
    "",
    "  ",
    "/etc/passwd",
    "~/x",
    "../../outside/secret",
    "../../outside/../project/a.md",
    "../" * 40 + "etc/passwd",
    "out/secret",
    "out.md",
    "far",
    "loop",
    "env",
    "../.env",
    ".hidden/x",
    "prompts/.x/y",
    "..\\a.md",
    "a\0b",
    "file:///etc/passwd",
    "http://example.org/x",
    "C:/x",
    "x" * 5000,
    "...",
]


@pytest.mark.parametrize("written", REFUSED)
def test_paths_out_of_the_project_are_refused_with_a_reason(places, written):
    root, _ = places
    reason = Territory(root, root / "scorers" / "s.yaml").resolve(root / "scorers", written)
    assert isinstance(reason, str)
    assert str(root) not in reason


def test_a_file_from_elsewhere_may_read_beside_and_below_itself_only(places):
    root, outside = places
    territory = Territory(root, outside / "s.yaml")
    assert not territory.trusted
    assert territory.resolve(outside, "below/x.md") == outside / "below" / "x.md"
    for written in ("../project/a.md", "../outside/../project/a.md"):
        assert isinstance(territory.resolve(outside, written), str)


def test_a_link_in_the_project_to_a_file_elsewhere_is_not_trusted(places):
    root, outside = places
    (outside / "s.yaml").touch()
    (root / "linked.yaml").symlink_to(outside / "s.yaml")
    assert not Territory(root, root / "linked.yaml").trusted


def test_a_scorer_in_a_hidden_folder_may_read_beside_itself(places):
    root, _ = places
    territory = Territory(root, root / ".ci" / "s.yaml")
    assert territory.resolve(root / ".ci", "prompts/p.md") == root / ".ci" / "prompts" / "p.md"
    assert isinstance(territory.resolve(root / ".ci", "../.hidden/x"), str)
