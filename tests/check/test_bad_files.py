"""Every bad file says what its text beside it says, to the letter; ``--update-golden`` rewrites the texts."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from scorerkit import main
from scorerkit.loader import check_file
from scorerkit.report.problems import FORMATS
from scorerkit.settings import Settings
from scorerkit.source.project import Project

BAD = Path(__file__).parent.parent / "bad"
FILES = [file for file in sorted(BAD.glob("*.*")) if file.suffix in (".yaml", ".toml")]


def golden(file):
    """``x.yaml`` → ``x.txt``; a TOML file beside a YAML file of its name has a text of its own."""
    plain = file.with_suffix(".txt")
    return file.with_name(f"{file.name}.txt") if file.suffix == ".toml" else plain


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_bad_file_says_what_its_text_says(file, request):
    checked = check_file(file, file.name, Settings(Project(BAD)))
    text = FORMATS["text"](checked.problems, [file.name])
    if request.config.getoption("--update-golden", default=False):
        golden(file).write_text(text, "utf-8")
    assert text == golden(file).read_text("utf-8")


def test_every_text_has_its_file():
    assert {golden(file) for file in FILES} == set(BAD.glob("*.txt"))


def test_the_command_says_the_same_of_all_files_in_one_go(monkeypatch):
    monkeypatch.chdir(BAD)
    names = [file.name for file in FILES]
    result = CliRunner().invoke(main.group, ["check", "--project", ".", "--ignore", "duplicate-id", *names])
    parts = [golden(file).read_text("utf-8").splitlines()[:-1] for file in FILES]
    said = result.stderr.splitlines()
    assert sorted(said[:-1]) == sorted(line for part in parts for line in part)
    assert f"in {len(FILES)} of {len(FILES)} files" in said[-1]
