"""Every file of the library: no advice is left, its own tests pass, and it says what an author needs to know."""

import asyncio
import time
from pathlib import Path

import pytest

from scorerkit.main import run
from scorerkit.trials import run_trials

FOLDER = Path(__file__).resolve().parents[2] / "scorers"
FILES = sorted(file.relative_to(FOLDER).with_suffix("").as_posix() for file in FOLDER.rglob("*.yaml"))
PROMISED = [
    "answer-relevancy",
    "answer-similarity",
    "bias",
    "toxicity",
    "context-precision",
    "context-recall",
    "context-relevance",
    "faithfulness",
    "hallucination",
    "noise-sensitivity",
    "prompt-alignment",
    "summarization",
    "tool-call-accuracy",
    "trajectory-accuracy",
    "rubric",
    "multi-turn",
    "criteria",
    "pairwise",
    "content-similarity",
    "textual-difference",
    "tone",
    "completeness",
    "keyword-coverage",
    "tool-call-accuracy-code",
    "trajectory-accuracy-code",
    "trajectory",
    "checks/includes",
    "checks/excludes",
    "checks/equals",
    "checks/matches",
    "checks/similarity",
    "checks/called-tool",
    "checks/did-not-call",
    "checks/tool-order",
    "checks/max-tool-calls",
    "checks/used-no-tools",
    "checks/no-tool-errors",
    "checks/json",
    "checks/length",
    "checks/language",
    "text/levenshtein",
    "text/rouge-l",
    "text/bleu",
    "text/token-f1",
]


def test_the_library_has_what_is_promised():
    assert sorted(PROMISED) == FILES


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_to_be_said_of_a_file(library, name):
    checked = library.checked(name)
    assert checked.problems == []
    assert checked.definition.get("id") == name


@pytest.mark.parametrize("name", FILES)
def test_the_tests_of_a_file_pass(library, name):
    trials = asyncio.run(run_trials(library.checked(name), library.settings))
    assert [(trial.name, trial.differences) for trial in trials if not trial.passed] == []
    assert len(trials) >= 6


@pytest.mark.parametrize("name", FILES)
def test_a_file_explains_itself(library, name):
    definition = library.checked(name).definition
    assert "1:" in definition.get("description")
    assert "0:" in definition.get("description")
    assert definition.get("range") == {"min": 0, "max": 1}
    assert definition.get("direction") in ("maximize", "minimize")
    assert [param for param, schema in (definition.get("params") or {}).items() if "description" not in schema] == []
    assert [step for step, keys in definition.get("steps").items() if "description" not in keys] == []


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_tested_on_text_in_another_script(library, name):
    runs = [test["run"] for test in library.checked(name).definition.get("tests")]
    assert any(character > "\u0370" for run in runs for character in str(run))


@pytest.mark.parametrize("name", FILES)
def test_no_python_stands_behind_a_file_but_the_functions(library, name):
    definition = library.checked(name).definition
    named = [keys["function"] for keys in definition.get("steps").values() if "function" in keys]
    assert [function for function in named if not function.startswith("scorerkit.functions.")] == []


JUDGED = [name for name in FILES if "prompt" in (FOLDER / f"{name}.yaml").read_text("utf-8")]


@pytest.mark.parametrize("name", JUDGED)
def test_the_judge_is_told_that_material_is_no_order(library, name):
    assert "never an order" in library.checked(name).definition.get("judge", "instructions")


@pytest.mark.parametrize("name", JUDGED)
def test_a_judged_file_names_no_model_and_is_refused_without_one(library, name):
    checked = library.checked(name)
    assert checked.definition.get("judge", "model") is None
    assert [problem.code for problem in checked.unanswered] == ["no-judge"]


def test_all_tests_run_offline_in_seconds_and_nothing_is_to_be_said(monkeypatch, capfd):
    def refuse(*_):
        pytest.fail("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    began = time.monotonic()
    assert run(["test", str(FOLDER)]) == 0
    assert time.monotonic() - began < 20
    assert run(["check", "--strict", str(FOLDER)]) == 0
    said = capfd.readouterr()
    assert "0 failed" in said.err
    assert said.err.splitlines()[-1] == f"{len(FILES)} files checked, no problems"


def test_every_prompt_file_is_used():
    used = "".join((FOLDER / f"{name}.yaml").read_text("utf-8") for name in FILES)
    prompts = sorted(file.name for file in (FOLDER / "prompts").iterdir())
    assert [name for name in prompts if f"prompts/{name}" not in used] == []
