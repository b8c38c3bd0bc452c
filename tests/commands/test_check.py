"""``scorerkit check``: exit codes and the forms of problems; what the checks find is tested where they live."""

import json

import pytest

GOOD = "id: {}\ndescription: d\nsteps: {{generateScore: {{expression: run.output}}}}\nignore: [no-tests]\n"
WARNED = "id: warned\nsteps: {generateScore: {expression: run.output}}\n"
BAD = "id: bad\nstps: {}\n"


@pytest.fixture
def files(write):
    write("good.yaml", GOOD.format("good"))
    write("warned.yaml", WARNED)
    write("bad.yaml", BAD)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["good.yaml"], 0, "1 file checked, no problems"),
        (["good.yaml", "good.yaml"], 0, "1 file checked"),
        (["warned.yaml"], 0, "2 warnings in 1 of 1 file"),
        (["warned.yaml", "--strict"], 1, "warning[no-tests]"),
        (["warned.yaml", "--strict", "--ignore", "no-tests", "--ignore", "no-description"], 0, "no problems"),
        (["warned.yaml", "--strict", "--select", "no-judge"], 0, "no problems"),
        (["warned.yaml", "--strict", "--select", "no-tests"], 1, "1 warning in"),
        (["bad.yaml"], 2, "error[unknown-key]"),
        (["bad.yaml", "--ignore", "unknown-key"], 2, "error[unknown-key]"),
        (["good.yaml", "bad.yaml"], 2, "in 1 of 2 files"),
        (["gone.yaml"], 2, "gone.yaml"),
        (["gone"], 2, "neither a file nor the id"),
        ([], 2, "Missing argument"),
        (["."], 2, "of 3 files"),
    ],
)
def test_errors_exit_2_and_warnings_0_or_1(run, files, words, code, said):
    done = run("check", *words)
    assert (done.exit, done.out) == (code, "")
    assert said in done.err


def test_problems_as_json(run, files):
    done = run("check", "bad.yaml", "good.yaml", "--output-format", "json")
    whole = json.loads(done.out)
    assert (done.exit, done.err, whole["files"], whole["errors"]) == (2, "", 2, len(whole["problems"]))
    first = whole["problems"][0]
    assert {"code", "severity", "path", "line", "column", "message"} <= set(first)
    assert (first["path"], first["line"], first["column"]) == ("bad.yaml", 2, 1)


def test_no_problems_as_json(run, files):
    done = run("check", "good.yaml", "--output-format", "json")
    assert json.loads(done.out) == {"problems": [], "files": 1, "errors": 0, "warnings": 0}


def test_problems_as_annotations(run, files):
    assert run("check", "bad.yaml", "--output-format", "github").out.startswith("::error file=bad.yaml,line=2,col=1,")


def test_problems_as_sarif(run, files):
    log = json.loads(run("check", "bad.yaml", "--output-format", "sarif").out)
    [found] = [each for each in log["runs"][0]["results"] if each["ruleId"] == "unknown-key"]
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 2


def test_check_imports_nothing_unless_asked(run, write):
    write("mine.py", "raise RuntimeError('imported')\ndef score(run): ...\n")
    write("s.yaml", "id: s\ndescription: d\nsteps: {generateScore: {function: mine.score}}\nignore: [no-tests]\n")
    assert run("check", "s.yaml").exit == 0
    done = run("check", "s.yaml", "--import")
    assert (done.exit, "RuntimeError: imported" in done.err) == (2, True)


def test_a_mistake_in_the_configuration_is_a_problem_too(run, write, files):
    write("scorerkit.toml", "[modles]\n")
    done = run("check", "good.yaml")
    assert (done.exit, "scorerkit.toml:1:" in done.err) == (2, True)
