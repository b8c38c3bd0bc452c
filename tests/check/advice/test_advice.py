from pathlib import Path

import pytest

from scorerkit.check.advice import ADVICE
from scorerkit.loader import check_file
from scorerkit.settings import Settings
from scorerkit.source.project import Project

ROOT = Path(__file__).parent.parent.parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*/scorer.*"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.parent.name)
def test_the_examples_need_no_advice(file):
    assert check_file(file, file.name, Settings(Project(ROOT))).problems == []


def test_there_is_no_advice_before_the_errors_are_mended(problems):
    text = "id: x\njudge: {model: openai/gpt-4o}\nsteps: {generateScore: {expression: run.outptu | length}}\n"
    assert [each.code for each in problems(text)] == ["unknown-name"]


def test_all_advice_is_a_warning_of_its_own_code(problems):
    text = "id: x\njudge: {model: openai/gpt-4o}\ndeprecated: d\nsteps: {generateScore: {expression: run.input | length}}\n"
    found = problems(text)
    assert {each.severity for each in found} == {"warning"}
    assert {each.code for each in found} <= set(ADVICE)


def test_a_file_may_ignore_advice_and_not_errors(tmp_path):
    file = tmp_path / "s.yaml"
    file.write_text(
        "id: x\nignore: [no-tests, no-description]\nsteps: {generateScore: {expression: run.output | length}}\n"
    )
    assert check_file(file, "s.yaml", Settings(Project(tmp_path))).problems == []
    file.write_text("id: x\nignore: [unknown-name]\nsteps: {generateScore: {expression: run.outptu | length}}\n")
    assert [each.code for each in check_file(file, "s.yaml", Settings(Project(tmp_path))).problems] == ["unknown-name"]
