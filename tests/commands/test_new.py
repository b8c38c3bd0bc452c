import shlex
from pathlib import Path

import pytest

COPIED = ["faithfulness", "pairwise", "tone", "checks/tool-order", "text/rouge-l", "trajectory", "criteria"]


@pytest.mark.parametrize("kind", ["judge", "code", "agent"])
def test_a_new_scorer_is_right_and_its_tests_pass(run, kind):
    done = run("new", "my-own", "--kind", kind)
    assert (done.exit, done.out) == (0, "scorers/my-own.yaml\n")
    assert "scorerkit test scorers/my-own.yaml" in done.err
    assert run("check", "--strict", "scorers").exit == 0
    tested = run("test", "my-own")
    assert (tested.exit, "0 failed" in tested.err + tested.out) == (0, True)


def test_it_is_judged_where_nothing_is_said(run):
    run("new", "my-own")
    assert "prompt:" in Path("scorers/my-own.yaml").read_text("utf-8")


@pytest.mark.parametrize("origin", ["faithfulness", "pairwise", "tone", "checks/tool-order", "text/rouge-l"])
def test_a_copy_comes_with_its_prompts_and_passes_its_tests(run, origin):
    assert run("new", "mine/copy", "--from", origin).exit == 0
    assert run("check", "--strict", "scorers").exit == 0
    assert run("test", "mine/copy").exit == 0
    text = Path("scorers/mine/copy.yaml").read_text("utf-8")
    assert text.startswith("id: mine/copy\n")
    names = [line.split("file: ")[1].rstrip("}") for line in text.splitlines() if "prompt: {file: " in line]
    assert all(Path("scorers/mine", name).is_file() for name in names)


@pytest.mark.parametrize(
    "words", [["--kind", kind] for kind in ("judge", "code", "agent")] + [["--from", name] for name in COPIED]
)
def test_it_ends_with_what_to_do_next_and_a_record_that_works(run, write, words):
    done = run("new", "a", *words)
    first, second, line = done.err.splitlines()
    assert first == "next: scorerkit test scorers/a.yaml"
    assert second.startswith("      scorerkit run scorers/a.yaml --data FILE")
    write("runs.jsonl", line.partition(": ")[2] + "\n")
    call = shlex.split(second.replace("FILE", "runs.jsonl").replace("PROVIDER/MODEL", "openai/m"))
    dry = run(*call[1:], "--dry-run")
    assert (dry.exit, "would fail" in dry.out) == (0, False), dry


def test_a_copy_shows_where_its_model_goes(run, write):
    said = run("new", "a", "--from", "faithfulness").err
    assert "--data FILE --judge-model PROVIDER/MODEL" in said
    file = Path("scorers/a.yaml")
    text = file.read_text("utf-8")
    assert "judge:\n  # Name who answers here" in text
    file.write_text(text.replace("  # model: ", "  model: "), "utf-8")
    assert run("check", "--strict", "a").exit == 0
    assert "openai/gpt-5-mini-2025-08-07  (default)" in run("show", "a").out
    write("scorerkit.toml", '[judge]\nmodel = "openai/m"\n')
    said = run("new", "b", "--from", "bias").err
    assert "--judge-model" not in said
    assert "# model:" not in Path("scorers/b.yaml").read_text("utf-8")


def test_two_copies_share_prompts_that_are_equal(run):
    assert run("new", "one", "--from", "bias").exit == 0
    assert run("new", "two", "--from", "bias").exit == 0


def test_a_changed_prompt_is_not_written_over_and_nothing_else_is_written(run):
    run("new", "one", "--from", "bias")
    prompt = Path("scorers/prompts/bias-judge.md.j2")
    prompt.write_text("Changed.", encoding="utf-8")
    done = run("new", "two", "--from", "bias")
    assert (done.exit, "bias-judge.md.j2' is there already" in done.err) == (2, True)
    assert (prompt.read_text("utf-8"), Path("scorers/two.yaml").exists()) == ("Changed.", False)


def test_the_file_of_an_id_is_not_written_over(run, write):
    write("scorers/a.yaml", "mine: yes\n")
    done = run("new", "a")
    assert (done.exit, "is there already" in done.err) == (2, True)
    assert Path("scorers/a.yaml").read_text("utf-8") == "mine: yes\n"


def test_an_id_that_another_file_has_is_refused(run, write):
    write("scorers/b.yaml", "id: a\nsteps: {generateScore: {expression: '1'}}\n")
    done = run("new", "a")
    assert (done.exit, "stands in scorers/b.yaml" in done.err) == (2, True)


@pytest.mark.parametrize("name", ["../a", "/tmp/a", "a b", "", "a/../../b", ".", "a/", "ä"])
def test_what_is_no_id_is_refused(run, name):
    done = run("new", name)
    assert (done.exit, "is no id" in done.err) == (2, True)
    assert not Path("scorers").exists()


@pytest.mark.parametrize("name", ["no", "1e3", "null", "007", "2026-01-01"])
def test_an_id_that_reads_as_something_else_is_quoted(run, name):
    assert run("new", name, "--kind", "code").exit == 0
    assert run("check", f"scorers/{name}.yaml").exit == 0


def test_a_scorer_that_is_unknown_or_broken_or_extends_is_not_copied(run, write):
    assert "did you mean 'faithfulness'" in run("new", "a", "--from", "faithfulnes").err
    write("broken.yaml", "id: b\nstps: {}\n")
    assert "has mistakes" in run("new", "a", "--from", "broken.yaml").err
    write("child.yaml", "id: c\nextends: bias\n")
    assert "extends 'bias'" in run("new", "a", "--from", "child.yaml").err
    assert not Path("scorers").exists()


def test_a_kind_and_a_copy_exclude_each_other(run):
    assert run("new", "a", "--kind", "code", "--from", "bias").exit == 2


def test_toml_stays_toml(run, write):
    write("a.toml", 'id = "a" # mine\n[steps.generateScore]\nexpression = "1"\n')
    assert run("new", "b", "--from", "a.toml").exit == 0
    assert Path("scorers/b.toml").read_text("utf-8").startswith('id = "b" # mine\n')


def test_the_project_says_where_scorers_are(run, write):
    write("scorerkit.toml", 'library = ["measures"]\n')
    assert run("new", "a").out == "measures/a.yaml\n"


TEXTS = [
    ("It is Paris.", "Paris", 1),
    ("It is PARIS.", ["paris"], 1),
    ("It is Rome.", "Paris", 0),
    ("It is Rome.", "", "notScorable"),
    ("It is Rome.", {"a": 1}, "failed"),
    ("It is Rome.", [{"word": "Rome"}], "failed"),
    ("It is Rome.", 5, "failed"),
]


@pytest.mark.parametrize(("output", "wanted", "came"), TEXTS)
def test_words_of_a_new_scorer_are_words_and_never_letters(run, write, output, wanted, came):
    run("new", "my-own", "--kind", "code")
    write("data.jsonl", [{"input": "Capital?", "output": output, "groundTruth": wanted}])
    result = run("run", "my-own", "--data", "data.jsonl", "--output", "-").results[0]
    assert came in (result["score"], result["status"])


def test_words_that_are_set_for_a_new_scorer_need_no_small_letters(run, write):
    run("new", "my-own", "--kind", "code")
    write("data.jsonl", [{"input": "Capital?", "output": "Paris."}])
    done = run("run", "my-own", "--data", "data.jsonl", "--output", "-", "-p", 'words=["Paris"]')
    assert done.results[0]["score"] == 1


@pytest.mark.parametrize(
    ("wanted", "came"), [*[(each, came) for _, each, came in TEXTS if came != 1], ("weather", 1), (["weather"], 1)]
)
def test_tools_of_a_new_scorer_are_names_and_never_letters(run, write, wanted, came):
    run("new", "my-own", "--kind", "agent")
    call = {"id": "c", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    output = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    write("data.jsonl", [{"input": "Rain?", "output": output, "groundTruth": wanted}])
    result = run("run", "my-own", "--data", "data.jsonl", "--output", "-").results[0]
    assert came in (result["score"], result["status"])
