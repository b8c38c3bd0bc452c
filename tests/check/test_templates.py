import pytest

HEAD = "id: x\njudge: {model: openai/gpt-5-mini-2025-08-07}\nsteps:\n  generateScore:\n"


def prompt(text):
    lines = text.replace("\n", "\n      ")
    return f"{HEAD}    prompt: |\n      {lines}\n      {{{{ run.output | fenced }}}}\n"


def expression(text):
    return f"id: x\nsteps:\n  generateScore:\n    expression: {text}\n"


CASES = [
    (prompt("{{ run.input }"), [("template-syntax", 6, 20)]),
    (prompt("{{ run.input "), [("template-syntax", 6, 7)]),
    (prompt("a {{ f(run.input | upper }}"), [("template-syntax", 6, 12)]),
    (prompt("a {# run.input"), [("template-syntax", 6, 9)]),
    (prompt("{% set x %}\n{% set y = 1 %}{% if y %}"), [("template-syntax", 7, 22)]),
    (prompt("{% if run.input %}\n{% for x in run.input %}\n{% endif %}"), [("template-syntax", 7, 7)]),
    (prompt("{% fro x in y %}"), [("template-syntax", 6, 10)]),
    (prompt("{% for x in run.input %}"), [("template-syntax", 6, 7)]),
    (prompt("{% include 'no.md' %}"), [("unreadable-file", 6, 19)]),
    (prompt("{% include '../no.md' %}"), [("outside-project", 6, 19)]),
    (prompt("{% include run.input %}"), [("template-syntax", 6, 10)]),
    (prompt("{% include ['a.md', 'b.md'] %}"), [("template-syntax", 6, 10)]),
    (prompt("{% extends 'no.md' %}"), [("unreadable-file", 6, 19)]),
    (expression("'{{ run.output }}'"), [("template-syntax", 4, 17)]),
    (expression("run.output |"), [("template-syntax", 4, 17)]),
    (expression("'run.output }'"), [("template-syntax", 4, 29)]),
    (expression("1 2"), [("template-syntax", 4, 19)]),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_code_that_does_not_parse_is_pointed_at(places, text, expected):
    assert places(text) == expected


def test_the_fix_says_what_is_open(problems):
    def fixes(text):
        return [each.fix for each in problems(text) if each.code == "template-syntax"]

    assert fixes(prompt("{{ run.input }")) == ["close the expression with '}}'"]
    assert "endfor" in fixes(prompt("{% for x in run.input %}"))[0]
    assert "without '{{'" in fixes(expression("'{{ run.output }}'"))[0]
    assert fixes(expression("1 2")) == [None]


def test_included_files_are_read_and_parsed_once(problems, tmp_path):
    (tmp_path / "a.md").write_text("{% include 'sub/b.md' %}{% include 'sub/b.md' %}")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.md").write_text("line\n{{ broken }")
    found = problems(prompt("{% include 'a.md' %}{% include 'a.md' %}"))
    errors = [(each.code, each.path, each.place.line) for each in found if each.severity == "error"]
    assert errors == [("template-syntax", "sub/b.md", 2)]


def test_files_that_include_each_other_end(problems, tmp_path):
    (tmp_path / "a.md").write_text("{% include 'b.md' %}")
    (tmp_path / "b.md").write_text("{% include 'a.md' %}")
    assert [each for each in problems(prompt("{% include 'a.md' %}")) if each.severity == "error"] == []


def test_an_included_file_that_is_missing_is_said_where_it_is_named(problems, tmp_path):
    (tmp_path / "a.md").write_text("{% include 'no.md' %}")
    found = [each for each in problems(prompt("{% include 'a.md' %}")) if each.severity == "error"]
    assert [each.code for each in found] == ["unreadable-file"]


def test_a_name_in_a_shared_instruction_must_exist_in_every_step_that_uses_it(places):
    text = (
        "id: x\njudge: {model: openai/gpt-5-mini-2025-08-07, instructions: 'Mind {{ score }}.'}\nsteps:\n"
        "  generateScore: {prompt: '{{ run.output | fenced }}'}\n  generateReason: {prompt: why}\n"
    )
    assert places(text) == [("unknown-name", 2, 69)]
