"""A scorer as data: every value is found, and so is its place, whichever file holds it."""

import pytest

from scorerkit.loader import check_file, open_project

SCORER = """
    id: s
    description: d
    judge: {file: parts/judge.yaml}
    steps:
      generateScore:
        prompt: {file: parts/prompt.txt}
        outputSchema: {file: parts/schema.json}
        calculateScore: {expression: judgeOutput.n}
"""


@pytest.fixture
def definition(write):
    write("parts/judge.yaml", "model: openai/m\ninstructions: Be fair.\n")
    write("parts/prompt.txt", "Rate this:\n{{ run.output | fenced }}\n")
    write("parts/schema.json", '{"type": "object",\n "properties": {"n": {"type": "integer"}}, "required": ["n"]}')
    return check_file(write("s.yaml", SCORER), "s.yaml", open_project()).definition


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("id",), "s"),
        (("judge", "model"), "openai/m"),
        (("steps", "generateScore", "outputSchema", "required", 0), "n"),
        (("steps", "generateScore", "outputSchema", "required", 1), None),
        (("steps", "generateScore", "outputSchema", "required", "x"), None),
        (("id", "x"), None),
        (("gone", "further"), None),
        ((), "s"),
    ],
)
def test_a_value_is_found_or_there_is_none(definition, path, value):
    found = definition.get(*path)
    assert (found["id"] if path == () else found) == value


@pytest.mark.parametrize(
    ("path", "file", "line"),
    [
        (("id",), "s.yaml", 1),
        (("judge", "model"), "parts/judge.yaml", 1),
        (("judge", "instructions"), "parts/judge.yaml", 2),
        (("steps", "generateScore", "outputSchema", "required"), "parts/schema.json", 2),
        (("steps", "generateScore", "calculateScore"), "s.yaml", 8),
    ],
)
def test_a_value_stands_in_the_file_that_holds_it(definition, path, file, line):
    assert definition.where(path) == {"path": file, "line": line}
    problem = definition.problem("unknown-value", path, "x")
    assert (problem.path, problem.place.line) == (file, line)
    assert problem.excerpt


def test_a_key_that_names_a_file_stands_in_the_file_that_names_it(definition):
    problem = definition.problem("unknown-value", ("judge",), "x", on="key")
    assert (problem.path, problem.place.line, problem.place.column) == ("s.yaml", 3, 1)


def test_a_line_of_a_template_is_a_line_of_its_file(definition):
    problem = definition.problem_in_text("unknown-name", ("steps", "generateScore", "prompt"), 2, "output", "x")
    assert (problem.path, problem.place.line, problem.place.column) == ("parts/prompt.txt", 2, 8)


def test_the_document_stays_as_it_was_read(definition):
    assert definition.document.value["judge"] == {"file": "parts/judge.yaml"}


def test_every_file_is_a_part_once(definition):
    names = sorted(document.path for document in definition.documents())
    assert names == ["parts/judge.yaml", "parts/prompt.txt", "parts/schema.json", "s.yaml"]
