"""``experiments``, ``report`` and ``export``: what the store has, shown again."""

import json
import sqlite3

import pytest
from cases.judge import CaseJudge

SCORER = """
    id: {id}
    description: d
    threshold: 0.5
    gate: {{mean: {{min: 0.1}}}}
    steps: {{generateScore: {{expression: "{expression}"}}}}
"""
STORE = ".scorerkit/scorerkit.db"


@pytest.fixture
def scored(run, write):
    """(options) → a run of 's' and 't' over six records, of which one fails and one has no language."""
    write("s.yaml", SCORER.format(id="s", expression="run.output"))
    write("t.yaml", SCORER.format(id="t", expression="run.output / 2"))
    languages = ["de", "en", "de", None, "en", "de"]
    outputs = [0.9, 0.25, 0.5, 1, "x", 0]
    write(
        "runs.jsonl",
        [
            {"runId": f"r{i}", "output": output, "metadata": {"a.b": i} | ({"lang": lang} if lang else {})}
            for i, (output, lang) in enumerate(zip(outputs, languages, strict=True))
        ],
    )

    def played(*options, scorers=("s.yaml", "t.yaml")):
        said = run("run", *scorers, "--data", "runs.jsonl", "--quiet", *options)
        assert said.exit in (0, 3), said.err
        return said

    return played


def ids(run):
    return [entry["id"] for entry in json.loads(run("experiments", "--json").out)]


# -- experiments ---------------------------------------------------------------------------------------------------------


def test_without_a_store_there_is_one_sentence(run, project):
    said = run("experiments")
    assert said.exit == 0
    assert said.out == f"no experiment is kept: there is no store at {project / STORE}\n"
    assert run("experiments", "--json").out == "[]\n"
    assert not (project / STORE).exists()


def test_the_latest_comes_first_with_all_denominators(run, scored):
    scored()
    scored("--limit", "2", scorers=["s.yaml"])
    said = run("experiments")
    first, numbers, second, *more = said.out.splitlines()
    assert first.split()[1] == second.split()[1] == "finished"
    assert first.endswith("runs.jsonl")
    assert numbers.split() == [
        "s",
        "mean",
        "0.575",
        "2",
        "scored,",
        "0",
        "not",
        "scorable,",
        "0",
        "failed,",
        "0",
        "not",
        "reached",
    ]
    assert more[0].split() == [
        "s",
        "mean",
        "0.53",
        "5",
        "scored,",
        "0",
        "not",
        "scorable,",
        "1",
        "failed,",
        "0",
        "not",
        "reached",
    ]
    assert len(more) == 2


def test_the_list_can_be_cut_and_chosen_from(run, scored):
    scored()
    scored(scorers=["s.yaml"])
    assert len(json.loads(run("experiments", "--limit", "1", "--json").out)) == 1
    found = json.loads(run("experiments", "--scorer", "t", "--json").out)
    assert [[scorer["id"] for scorer in entry["scorers"]] for entry in found] == [["s", "t"]]
    said = run("experiments", "--scorer", "u")
    assert (said.exit, said.out, said.err) == (0, "", "no experiment is kept in which 'u' took part\n")


def test_an_experiment_that_died_is_counted_from_its_results(run, scored, project):
    scored()
    with sqlite3.connect(project / STORE) as store:
        store.execute("UPDATE experiments SET status = 'running', summary = NULL")
    entry = json.loads(run("experiments", "--json").out)[0]
    assert entry["status"] == "interrupted"
    assert [(one["scored"], one["failed"], one["notReached"]) for one in entry["scorers"]] == [(5, 1, None)] * 2
    assert entry["scorers"][0]["mean"] == pytest.approx(0.53)
    assert "not reached" not in run("experiments").out
    assert "its process ended before it did" in run("report", "latest").err


def test_an_experiment_can_be_forgotten(run, scored):
    scored()
    scored()
    late, early = ids(run)
    said = run("experiments", "--forget", early)
    assert (said.exit, said.err) == (0, f"the experiment {early} was forgotten\n")
    assert ids(run) == [late]
    assert run("report", early).exit == 2


def test_all_or_none_are_forgotten(run, scored):
    scored()
    said = run("experiments", "--forget", "latest", "--forget", "19")
    assert said.exit == 2
    assert said.err.startswith("error[unknown-experiment]: there is no experiment '19'\n")
    assert len(ids(run)) == 1


def test_what_is_being_run_is_not_forgotten(run, scored, project, monkeypatch):
    from scorerkit.store.backends.sqlite import Sqlite

    scored()
    with sqlite3.connect(project / STORE) as store:
        store.execute("UPDATE experiments SET status = 'running'")
    monkeypatch.setattr(Sqlite, "hold", lambda *_: None)
    said = run("experiments", "--forget", "latest")
    assert said.exit == 2
    assert said.err.startswith("error[already-running]: ")


def test_names_from_data_stay_on_their_line(run, write, scored):
    scored()
    write("a\x1b[31m\nb.jsonl", [{"runId": "r", "output": 1}])
    run("run", "s.yaml", "--data", "a\x1b[31m\nb.jsonl", "--quiet")
    said = run("experiments", "--limit", "1")
    assert "\x1b" not in said.out


# -- report --------------------------------------------------------------------------------------------------------------


def test_a_report_is_what_the_run_wrote(run, scored, project):
    scored("--report", "then.json", "--report", "then.md")
    assert run("report", "latest", "--report", "now.json", "--report", "now.md").exit == 0
    assert json.loads((project / "now.json").read_text()) == json.loads((project / "then.json").read_text())
    assert (project / "now.md").read_text() == (project / "then.md").read_text()
    assert run("report", ids(run)[0], "--json").out == (project / "then.json").read_text()


def test_a_judged_run_sums_up_alike(run, write, project, clean):
    write(
        "j.yaml",
        """
        id: j
        description: d
        range: {min: 0, max: 1}
        judge: {model: openai/x-2026-01-01, instructions: Grade.}
        steps: {generateScore: {description: d, prompt: "Grade {{ run.output }}"}}
        """,
    )
    write("runs.jsonl", [{"runId": f"r{i}", "output": i} for i in range(3)])
    clean.setenv("OPENAI_API_KEY", "sk-test")
    with CaseJudge([{"replies": [{"content": '{"score": 0.5}'}]}]) as judge:
        said = run("run", "j.yaml", "--data", "runs.jsonl", "--base-url", judge.url, "--report", "then.json", "--quiet")
    assert said.exit == 0, said.err
    run("report", "latest", "--report", "now.json")
    assert (project / "now.json").read_text() == (project / "then.json").read_text()
    assert json.loads((project / "now.json").read_text())["scorers"][0]["judge"]["requests"] == 3


def test_the_beginning_of_an_id_is_enough(run, scored):
    scored()
    name = ids(run)[0]
    assert json.loads(run("report", name[:-2], "--json").out)["experimentId"] == name
    scored()
    said = run("report", "20", "--json")
    assert said.exit == 2
    assert "is the beginning of several experiments" in said.err


def test_groups_have_all_denominators_and_absence_is_one(run, scored):
    scored()
    found = json.loads(run("report", "latest", "--by", "metadata.lang", "--json").out)
    assert found["by"] == "metadata.lang"
    assert [group.get("value", ...) for group in found["groups"]] == ["de", "en", ...]
    assert found["groups"][2]["absent"] is True
    first = [group["scorers"][0] for group in found["groups"]]
    assert [(one["n"], one["scored"], one["notScorable"], one["failed"], one["notReached"]) for one in first] == [
        (3, 3, 0, 0, 0),
        (2, 1, 0, 1, 0),
        (1, 1, 0, 0, 0),
    ]
    assert [one["passed"] for one in first] == [2, 0, 1]
    assert all("gate" not in one for one in first)
    assert sum(one["n"] for one in first) == found["scorers"][0]["n"]


def test_groups_are_shown_as_text_and_markdown(run, scored, project):
    scored()
    text = run("report", "latest", "--by", "metadata.lang", "--report", "r.md").out
    assert (
        'metadata.lang = "en"\n  s: mean 0.25, passed 0 of 1 scored; 2 records: 1 scored, 0 not scorable, 1 failed\n'
        in text
    )
    assert "metadata.lang is absent\n" in text
    assert '## metadata.lang = "de"\n' in (project / "r.md").read_text()


def test_keys_with_dots_and_keys_of_results_group_too(run, scored):
    scored()
    assert len(json.loads(run("report", "latest", "--by", "metadata.a.b", "--json").out)["groups"]) == 6
    found = json.loads(run("report", "latest", "--by", "scorer.id", "--json").out)["groups"]
    assert [group["value"] for group in found] == ["s", "t"]
    assert [scorer["n"] for scorer in found[0]["scorers"]] == [6, 0]


def test_where_records_were_not_reached_groups_do_not_say_zero(run, scored, write):
    write("runs.jsonl", [{"runId": f"r{i}", "output": "x", "metadata": {"lang": "de"}} for i in range(9)])
    scored("--fail-fast")
    found = json.loads(run("report", "latest", "--by", "metadata.lang", "--json").out)
    assert found["scorers"][0]["notReached"] > 0
    assert found["groups"][0]["scorers"][0]["notReached"] is None
    assert "were not reached is not known" in run("report", "latest", "--by", "metadata.lang").out


def test_a_field_that_no_result_has_is_an_error(run, scored):
    scored()
    said = run("report", "latest", "--by", "metadata.lnag")
    assert (said.exit, said.out) == (2, "")
    assert said.err.startswith("error[unknown-name]: no result has 'metadata.lnag'\n")


def test_a_field_that_names_records_makes_no_groups(run, scored, monkeypatch):
    from scorerkit.archive import grouping

    scored()
    monkeypatch.setattr(grouping, "MOST", 3)
    assert "has more than 3 values" in run("report", "latest", "--by", "runId").err


@pytest.mark.parametrize("command", [("report", "x"), ("export", "x", "--output", "-")])
def test_without_a_store_there_is_nothing_to_show(run, project, command):
    said = run(*command)
    assert said.exit == 2
    assert said.err.startswith("error[unknown-experiment]: no experiment is kept")
    assert not (project / STORE).exists()


def test_a_report_is_written_over_no_store(run, scored, project):
    scored()
    (project / "r.json").symlink_to(project / STORE)
    assert run("report", "latest", "--report", "r.json").exit == 2


# -- export --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exclude", [(), ("--exclude", "metadata", "--exclude", "steps")])
def test_an_export_is_the_file_of_the_run(run, scored, project, exclude):
    scored("--output", "then.jsonl", "--output", "then.csv", *exclude)
    said = run("export", "latest", "--output", "now.jsonl", "--output", "now.csv", *exclude)
    assert said.exit == 0
    for suffix in ("jsonl", "csv"):
        assert (project / f"now.{suffix}").read_bytes() == (project / f"then.{suffix}").read_bytes()
    assert run("export", "latest", "--output", "-", *exclude).out.encode() == (project / "then.jsonl").read_bytes()


def test_an_export_says_what_it_cannot_do(run, scored):
    scored()
    assert "--exclude does not know 'x'" in run("export", "latest", "--output", "-", "--exclude", "x").err
    assert "does not say a format" in run("export", "latest", "--output", "x.txt").err
    assert run("export", "latest").exit == 2


def test_an_experiment_without_results_exits_5(run, scored, project):
    scored()
    with sqlite3.connect(project / STORE) as store:
        store.execute("DELETE FROM results")
    assert run("export", "latest", "--output", "x.jsonl").exit == 5
