"""Scorer files made to hang or to break whoever looks at them."""

import time

import pytest

HEAD = "id: t\ndescription: x\n"


def scorer(expression):
    return f"{HEAD}steps:\n  generateScore:\n    expression: '{expression}'\n"


def prompted(prompt):
    return f"{HEAD}judge: {{model: openai/x}}\nsteps:\n  generateScore:\n    prompt: '{prompt}'\n"


EXPRESSIONS = [
    "1+" * 1000 + "1",
    "1+" * 40_000 + "1",
    "(" * 90 + "1" + ")" * 90,
    "not " * 500 + "1",
    "-" * 500 + "1",
    "1" + "|abs" * 500,
    "run.output" + ".a" * 500,
    "run.output" + "[0]" * 500,
    "9" * 5000,
    "1e400",
]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda text: f"{text[:12]}-{len(text)}")
def test_an_expression_of_no_sane_size_is_a_syntax_problem(run, write, expression):
    write("s.yaml", scorer(expression))
    said = run("check", "s.yaml")
    assert (said.exit, "s.yaml:5:17: error[template-syntax]" in said.err) == (2, True)


PROMPTS = [
    "{% if run.output %}" * 60 + "{% endif %}" * 60,
    "{% for a in run.output %}" * 25 + "{% endfor %}" * 25,
    "{{ run.output }}" * 55_000,
]


@pytest.mark.parametrize("prompt", PROMPTS, ids=["ifs", "loops", "parts"])
def test_a_template_of_no_sane_size_is_a_syntax_problem(run, write, prompt):
    write("s.yaml", prompted(prompt))
    said = run("check", "s.yaml")
    assert (said.exit, "error[template-syntax]" in said.err) == (2, True)


AS_DEEP_AS_ALLOWED = ["1+" * 90 + "1", "run.output" + ".a" * 90, "1" + "|clamp(0,1)" * 90, "run.output" + ".a()" * 40]


@pytest.mark.parametrize("expression", AS_DEEP_AS_ALLOWED, ids=lambda text: text[:14])
def test_what_check_lets_through_can_be_compiled(run, write, expression):
    write("s.yaml", scorer(expression))
    write("d.jsonl", '{"output": 1}\n')
    assert run("check", "s.yaml").exit == 0
    assert run("run", "s.yaml", "--data", "d.jsonl", "--no-store").exit in (0, 3)


FILES = [
    "".join(f"k{number}: 1\n" for number in range(30_000)),
    f"{scorer(1)}tags: [{','.join(['1'] * 60_000)}]\n",
    f"{scorer(1)}tests: [{','.join(['{name: 1}'] * 20_000)}]\n",
    prompted("{{ run.outptu }}\n\n        " * 3000),
]


@pytest.mark.parametrize("text", FILES, ids=["keys", "entries", "mappings", "names"])
def test_thousands_of_mistakes_take_seconds(run, write, text):
    write("s.yaml", text)
    began = time.process_time()
    assert run("check", "s.yaml").exit == 2
    assert time.process_time() - began < 10


def test_a_folder_that_cannot_be_walked_is_passed_over(run, write, monkeypatch):
    import os

    write("s.yaml", scorer("run.output"))
    real = os.scandir

    def scandir(path):
        if str(path).endswith("closed"):
            raise OSError(22, "Invalid argument")
        return real(path)

    write("closed/s.yaml", "")
    monkeypatch.setattr(os, "scandir", scandir)
    assert run("check", ".").exit == 0
