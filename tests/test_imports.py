"""Start-up time is a feature: what is heavy is imported when it is used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("instructor", "openai", "pydantic", "sqlalchemy", "rich", "re2", "pyarrow", "numpy")
CHECKING = ("jinja2", "jsonschema", "jsonschema_rs", "yaml", "tree_sitter", "rfc8785", "orjson")
ASKING = ("instructor", "openai", "pydantic", "httpx")


def loaded(code, cwd):
    """The top-level modules that are there after this code."""
    after = f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    environment = {"PATH": "", "PYTHONPATH": str(Path(__file__).parent.parent), "HOME": str(cwd)}
    done = subprocess.run([sys.executable, "-c", after], capture_output=True, text=True, cwd=cwd, env=environment)
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}


def command(*words):
    return f"from scorerkit.main import run\nassert run({list(words)!r}) == 0"


SCORER = "id: a\ndescription: d\nsteps: {generateScore: {expression: '1'}}\n"
JUDGED = (
    "id: a\ndescription: d\njudge: {model: openai/gpt-4o-mini-2024-07-18}\n"
    "steps: {generateScore: {prompt: 'Rate {{ run.output | fenced }}'}}\n"
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scorerkit.toml").write_text("")
    (tmp_path / "scorer.yaml").write_text(SCORER)
    (tmp_path / "judged.yaml").write_text(JUDGED)
    (tmp_path / "runs.jsonl").write_text('{"output": "x"}\n')
    return tmp_path


def test_the_package_loads_nothing_heavy(folder):
    assert loaded("import scorerkit", folder) & {*HEAVY, *CHECKING, "click"} == set()


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["run", "--help"], ["check", "--help"]], ids=" ".join)
def test_help_loads_nothing_that_reads_files(folder, words):
    found = loaded(command(*words), folder)
    assert found & {*HEAVY, *CHECKING} == set()


@pytest.mark.parametrize("scorer", ["scorer.yaml", "judged.yaml"])
def test_checking_a_file_loads_no_client_of_a_provider(folder, scorer):
    assert loaded(command("check", scorer), folder) & set(ASKING) == set()


def test_showing_a_judged_scorer_loads_no_client_of_a_provider(folder):
    assert loaded(command("show", "judged.yaml"), folder) & set(ASKING) == set()


def test_a_scorer_without_prompts_never_loads_a_client(folder):
    found = loaded(command("run", "scorer.yaml", "--data", "runs.jsonl", "--quiet"), folder)
    assert found & {*ASKING, "rich"} == set()


def test_functions_for_scorer_files_load_little(folder):
    assert loaded("import scorerkit.functions", folder) & {*HEAVY, "jinja2", "jsonschema", "yaml"} == set()


def test_scorers_of_one_s_own_tests_load_no_client(folder):
    assert loaded("import scorerkit.testing", folder) & set(ASKING) == set()
