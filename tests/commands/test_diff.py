"""``diff``: two experiments paired by run id, and two states of a scorer."""

import json
import subprocess
from pathlib import Path

import pytest

SCORER = """
    id: s
    description: d
    threshold: 0.5
    {more}
    steps: {{generateScore: {{expression: "{expression}"}}}}
"""


@pytest.fixture
def scored(run, write, project):
    """(outputs by run id, file) → the results of a run over them."""

    def made(outputs, output, more="", expression="run.output"):
        write("s.yaml", SCORER.format(more=more, expression=expression))
        write("runs.jsonl", [{"runId": name, "output": value} for name, value in outputs.items()])
        said = run("run", "s.yaml", "--data", "runs.jsonl", "--output", output, "--quiet")
        assert said.exit in (0, 3, 5), said.err
        return output

    return made


@pytest.fixture
def compared(run, scored):
    """(outputs of A, outputs of B, options) → what diff says."""

    def made(a, b, *options, more=""):
        return run("diff", scored(a, "a.jsonl", more), scored(b, "b.jsonl", more), *options)

    return made


def many(value, count=30):
    return {f"r{i:02}": value(i) for i in range(count)}


BASE = many(lambda i: (i % 7) / 10)
WORSE = many(lambda i: (i % 7) / 10 - 0.1 - (i % 3) / 100)


# -- experiments ---------------------------------------------------------------------------------------------------------


def test_the_change_comes_with_interval_test_and_flips(compared):
    found = json.loads(compared(BASE, WORSE, "--json").out)
    scorer = found["scorers"][0]
    assert (scorer["paired"], scorer["onlyInA"], scorer["onlyInB"]) == (30, 0, 0)
    assert scorer["change"]["mean"] == pytest.approx(-0.11)
    low, high = scorer["change"]["interval"]
    assert -0.12 < low < -0.11 < high < -0.1
    assert scorer["change"]["verdict"] == "worse"
    assert scorer["signedRank"]["n"] == 30
    assert scorer["signedRank"]["p"] < 1e-6
    failed = scorer["flips"]["toFailed"]
    assert failed["count"] == 6
    assert [run["runId"] for run in failed["runs"]] == ["r05", "r12", "r13", "r19", "r20", "r26"]
    assert failed["runs"][0] == {"runId": "r05", "a": 0.5, "b": pytest.approx(0.38)}
    assert scorer["flips"]["p"] == pytest.approx(0.03125)
    assert scorer["flips"]["toPassed"]["count"] == 0
    assert len(scorer["largest"]) == 10
    assert scorer["largest"][0]["change"] == -0.12


def test_equal_experiments_have_no_change(compared):
    said = compared(BASE, BASE, "--fail-on", "regression")
    assert said.exit == 0
    assert "change 0 [0, 0], no change\n  no pair differs\n" in said.out


def test_experiments_of_the_store_and_files_compare_alike(run, scored):
    scored(BASE, "a.jsonl")
    first = json.loads(run("experiments", "--json").out)[0]["id"]
    scored(WORSE, "b.jsonl")
    kept = json.loads(run("diff", first, "latest", "--json").out)
    files = json.loads(run("diff", "a.jsonl", "b.jsonl", "--json").out)
    assert kept["a"]["experimentId"] == first
    assert kept["warnings"] == ["the data of the two differs: records of one run id need not be the same"]
    for found in (kept, files):
        for side in ("a", "b"):
            for key in ("threshold", "direction"):
                found["scorers"][0][side].pop(key, None)
    assert [found["scorers"][0].pop("directionGuessed") for found in (kept, files)] == [False, True]
    assert kept["scorers"] == files["scorers"]


@pytest.mark.parametrize(
    ("a", "b", "more", "code"),
    [
        (BASE, WORSE, "", 1),
        (WORSE, BASE, "", 0),
        (WORSE, BASE, "direction: minimize", 1),
        (BASE, WORSE, "direction: minimize", 0),
        (BASE, BASE, "", 0),
        (BASE, {**WORSE, "r99": 1}, "", 3),
        ({**BASE, "r99": 1}, WORSE, "", 3),
        (BASE, {**WORSE, "r00": "x"}, "", 3),
        ({**BASE, "r00": "x"}, WORSE, "", 3),
        ({"r": 1}, {"r": 0}, "", 3),
        ({"r1": 1}, {"r2": 0}, "", 3),
        ({"r1": -1}, {"r1": -1}, "notScorable: [{when: run.output < 0, reason: none}]", 5),
    ],
)
def test_the_exit_code_of_a_regression(run, scored, write, project, a, b, more, code):
    scored(a, "a.jsonl", more)
    scored(b, "b.jsonl", more)
    ids = [entry["id"] for entry in json.loads(run("experiments", "--json").out)]
    said = run("diff", ids[1], ids[0], "--fail-on", "regression")
    assert said.exit == code, said
    assert said.err.startswith(f"exit {code}: ") or code == 0
    assert run("diff", ids[1], ids[0]).exit == 0


def test_a_change_within_chance_is_no_regression(compared):
    other = many(lambda i: (i % 7) / 10 + (0.1 if i % 2 else -0.11))
    said = compared(BASE, other, "--fail-on", "regression")
    assert said.exit == 0
    assert "could be chance" in said.out


def test_nothing_in_common_exits_5(run, scored, write, project):
    scored(BASE, "a.jsonl")
    write("b.jsonl", [{**json.loads(line), "scorer": {"id": "other", "name": "other", "version": None, "digest": None}} for line in (project / "a.jsonl").read_text().splitlines()])  # fmt: skip
    said = run("diff", "a.jsonl", "b.jsonl")
    assert said.exit == 5
    assert "no scorer is on both sides" in said.out


def test_failures_come_and_go_with_their_codes(compared):
    said = compared({**BASE, "r00": "x"}, {**BASE, "r01": "x"}, "--json")
    scorer = json.loads(said.out)["scorers"][0]
    assert scorer["newFailures"] == {"count": 1, "runs": [{"runId": "r01", "code": "bad-score"}]}
    assert scorer["failuresGone"] == {"count": 1, "runs": [{"runId": "r00", "code": "bad-score"}]}
    assert (scorer["paired"], scorer["scoredInOne"]) == (28, 2)


def test_what_differs_of_the_scorer_is_said(run, scored):
    a = scored(BASE, "a.jsonl")
    b = scored(BASE, "b.jsonl", more="version: '2'", expression="run.output * 1")
    out = run("diff", a, b).out
    assert "  version null → 2\n  digest " in out
    ids = [entry["id"] for entry in json.loads(run("experiments", "--json").out)]
    scored(BASE, "c.jsonl", more="direction: minimize")
    assert "direction maximize → minimize\n" in run("diff", ids[0], "latest").out


def test_a_direction_that_nobody_knows_is_said(run, scored):
    scored(BASE, "a.jsonl")
    assert "which way is better for 's' is not known" in run("diff", "a.jsonl", "a.jsonl").out
    assert run("diff", "a.jsonl", "a.jsonl", "--fail-on", "regression").exit == 0


@pytest.mark.parametrize(("a", "b"), [(BASE, WORSE), (WORSE, BASE)])
def test_no_gate_passes_on_a_guess_of_the_direction(run, scored, write, a, b):
    files = scored(a, "a.jsonl", "direction: minimize"), scored(b, "b.jsonl", "direction: minimize")
    said = run("diff", *files, "--fail-on", "regression")
    assert said.exit == 3
    assert "neither side nor the project says which way is better" in said.err
    write("scorers/s.yaml", SCORER.format(more="direction: minimize", expression="run.output"))
    assert run("diff", *files, "--fail-on", "regression").exit == (1 if a is WORSE else 0)


def test_the_first_of_many_are_listed_and_the_rest_counted(compared):
    said = compared(many(lambda _: 1, 50), many(lambda _: 0, 50))
    assert "passed → failed: 50, failed → passed: 0, of 50 pairs; McNemar's test: p < 0.0001" in said.out
    assert said.out.count("now fails") == 20
    assert "    … and 30 more\n" in said.out


def test_run_ids_do_not_reach_into_the_terminal_or_the_table(compared, project):
    said = compared({"\x1b[31mred\n| <b>": 1, "b": 1}, {"\x1b[31mred\n| <b>": 0, "b": 0}, "--report", "d.md")
    assert "\x1b" not in said.out
    assert "\ufffd[31mred\ufffd| <b>" in said.out
    assert r"\| &lt;b>" in (project / "d.md").read_text()
    assert "{{" not in compared({"{{ 7*7 }}": 1, "b": 1}, {"{{ 7*7 }}": 0, "b": 0}).out.replace("{{ 7*7 }}", "")


def test_reports_are_written(compared, project):
    said = compared(BASE, WORSE, "--report", "d.json", "--report", "d.txt", "--report", "d.md", "--json")
    assert (project / "d.json").read_text() == said.out
    row = next(line for line in (project / "d.md").read_text().splitlines() if line.startswith("| s |"))
    assert row.startswith("| s | 0.2833 | 0.1733 | -0.11 [-0.11")
    assert row.endswith("] | worse | 30 |")


def test_a_report_of_another_form_is_refused(compared):
    assert "no form that a comparison is written in" in compared(BASE, WORSE, "--report", "d.csv").err


def test_the_same_comparison_is_the_same_text(compared, run):
    assert compared(BASE, WORSE).out == run("diff", "a.jsonl", "b.jsonl").out


@pytest.mark.parametrize(
    "change",
    [
        {"score": "high"}, {"status": "fine"}, {"error": ["x"]}, {"judge": {"generateScore": []}}, {"runId": 7},
        {"passed": "yes"}, {"params": None}, {"completedSteps": None},
    ],
)  # fmt: skip
def test_a_line_that_is_shaped_otherwise_is_named(run, scored, write, project, change):
    scored(BASE, "a.jsonl")
    found = [json.loads(line) for line in (project / "a.jsonl").read_text().splitlines()]
    found[2] |= change
    write("b.jsonl", found)
    for words in (("diff", "a.jsonl", "b.jsonl"), ("merge", "b.jsonl", "--output", "x.jsonl")):
        said = run(*words)
        assert said.exit == 2
        assert said.err.startswith("error[not-a-result]: b.jsonl:3: "), said.err
        assert f"'{next(iter(change))}" in said.err


@pytest.mark.parametrize("text", [b"\xff\xfe\n", b"[1]\n", b"{}\n", b"nonsense", b'{"score": NaN}\n', b"[" * 100_000])
def test_a_file_of_something_else_is_no_results_file(run, scored, write, text):
    scored(BASE, "a.jsonl")
    write("b.jsonl", text)
    said = run("diff", "a.jsonl", "b.jsonl")
    assert said.exit == 2
    assert said.err.startswith("error[not-a-result]: b.jsonl:1: ")


def test_whole_numbers_of_any_size_are_read(run, scored, write, project):
    scored(BASE, "a.jsonl")
    text = (project / "a.jsonl").read_text().replace('"metadata":null', f'"metadata":{{"n":{10**40}}}')
    (project / "b.jsonl").write_text(text)
    assert run("diff", "a.jsonl", "b.jsonl").exit == 0


def test_records_without_an_id_cannot_be_paired(run, scored, write, project):
    scored(BASE, "a.jsonl")
    with (project / "runs.jsonl").open("a") as file:
        file.write("{broken\n")
    run("run", "s.yaml", "--data", "runs.jsonl", "--output", "b.jsonl", "--quiet")
    said = run("diff", "a.jsonl", "b.jsonl", "--fail-on", "regression")
    assert said.exit == 3
    assert "1 without a run id" in said.out


# -- scorers -------------------------------------------------------------------------------------------------------------

PROMPTED = """
    id: tone
    description: d
    judge: {model: openai/x-2026-01-01, instructions: {file: prompts/instructions.md}}
    steps:
      generateScore:
        prompt: |
          {% include "prompts/scale.md" %}
          {{ run.output | fenced }}
"""


def git(*words, cwd="."):
    config = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *config, *words], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def repository(write, project):
    """A repository of one commit with a prompted scorer, its texts, and a scorer with a function."""
    write("scorers/tone.yaml", PROMPTED)
    write("scorers/prompts/instructions.md", "Be fair.\nBe kind.\n")
    write("scorers/prompts/scale.md", "From 0\nto 1.\n")
    write("scorers/code.yaml", "id: code\ndescription: d\nsteps: {generateScore: {function: grading.grade}}\n")
    write("grading.py", "from pathlib import Path\nPath('executed').touch()\ndef grade(run):\n    return 1\n")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    return project


def test_nothing_changed(run, repository):
    said = run("diff", "scorers/tone.yaml@HEAD", "scorers/tone.yaml")
    assert said.exit == 0
    assert "no score can differ: the digests are equal\n  nothing changed\n" in said.out


def test_keys_and_texts_in_files_are_compared(run, repository, write):
    write("scorers/prompts/instructions.md", "Be fair.\nBe strict.\n")
    write("scorers/prompts/scale.md", "From 0\nto one.\n")
    write("scorers/tone.yaml", PROMPTED.replace("description: d\n", "threshold: 0.5\n"))
    said = run("diff", "scorers/tone.yaml@HEAD", "scorers/tone.yaml")
    assert said.exit == 0, said.err
    assert "  scores can differ\n" in said.out
    assert "  - description: d\n" in said.out
    assert "  + threshold: 0.5\n" in said.out
    assert (
        "  ~ judge.instructions\n      @@ -1,2 +1,2 @@\n       Be fair.\n      -Be kind.\n      +Be strict.\n"
        in said.out
    )
    assert "  ~ includes.scorers/prompts/scale.md\n      @@ -1,2 +1,2 @@\n       From 0\n      -to 1.\n" in said.out
    found = json.loads(run("diff", "scorers/tone.yaml@HEAD", "scorers/tone.yaml", "--json").out)
    assert found["a"]["commit"] == git("rev-parse", "HEAD")
    assert found["scoresCanDiffer"] is True
    assert {change["path"]: (change["change"], change["moves"]) for change in found["changes"]} == {
        "description": ("removed", False),
        "threshold": ("added", True),
        "judge.instructions": ("changed", True),
        "includes.scorers/prompts/scale.md": ("changed", True),
    }


def test_a_description_moves_no_score(run, repository, write):
    write("scorers/tone.yaml", PROMPTED.replace("description: d", "description: e"))
    out = run("diff", "scorers/tone.yaml@HEAD", "scorers/tone.yaml").out
    assert "no score can differ" in out
    assert "~ description: d → e\n" in out


def test_code_is_compared_and_never_executed(run, repository, write):
    write("grading.py", "from pathlib import Path\nPath('executed').touch()\ndef grade(run):\n    return 0\n")
    said = run("diff", "scorers/code.yaml@HEAD", "scorers/code.yaml")
    assert "~ functions.grading.grade: " in said.out
    assert "scores can differ" in said.out
    assert not Path("executed").exists()


def test_filters_of_git_are_not_run(run, repository, write):
    write(".gitattributes", "*.md filter=evil\n")
    git("add", "-A")
    git("commit", "-q", "-m", "two")
    git("config", "filter.evil.smudge", f"touch {repository}/executed; cat")
    git("config", "filter.evil.required", "true")
    assert run("diff", "scorers/tone.yaml@HEAD", "scorers/tone.yaml").exit == 0
    assert not (repository / "executed").exists()


def test_a_project_in_a_folder_of_the_repository(run, write, project, clean):
    (project / "scorerkit.toml").unlink()
    write("inner/scorerkit.toml", "")
    write("inner/s.yaml", "id: s\ndescription: d\nsteps: {generateScore: {expression: '1'}}\n")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    clean.chdir(project / "inner")
    write("inner/s.yaml", "id: s\ndescription: d\nsteps: {generateScore: {expression: '2'}}\n")
    assert "~ steps.generateScore.expression: 1 → 2\n" in run("diff", "s.yaml@HEAD", "s.yaml").out


@pytest.mark.parametrize(
    ("a", "code", "words"),
    [
        ("scorers/tone.yaml@nope", "unknown-revision", "git knows no revision 'nope'"),
        ("scorers/tone.yaml@--output=evil", "unknown-revision", "none begins with '-'"),
        ("scorers/tone.yaml@-oevil", "unknown-revision", "none begins with '-'"),
        ("scorers/tone.yaml@HEAD:scorers", "unknown-revision", "git knows no revision"),
        ("scorers/none.yaml@HEAD", "unreadable-file", "there is no 'scorers/none.yaml' at 'HEAD'"),
        ("../other.yaml@HEAD", "outside-project", "lies outside of the project"),
        ("/etc/other.yaml@HEAD", "outside-project", "lies outside of the project"),
    ],
)
def test_a_revision_that_cannot_be_had(run, repository, a, code, words):
    said = run("diff", a, "scorers/tone.yaml")
    assert said.exit == 2
    assert said.err.startswith(f"error[{code}]: ")
    assert words in said.err
    assert not Path("evil").exists()


def test_without_a_repository_there_is_no_revision(run, write, clean, project):
    clean.setenv("GIT_CEILING_DIRECTORIES", str(project.parent))
    write("s.yaml", SCORER.format(more="", expression="1"))
    said = run("diff", "s.yaml@HEAD", "s.yaml")
    assert (said.exit, "lies in no git repository" in said.err) == (2, True)


def test_without_git_there_is_no_revision(run, repository, clean):
    clean.setenv("PATH", "")
    said = run("diff", "scorers/tone.yaml@HEAD", "scorers/tone.yaml")
    assert (said.exit, "there is no git here" in said.err) == (2, True)


def test_mistakes_are_shown_where_they_were(run, repository, write):
    write("scorers/tone.yaml", "id: tone\nstesp: {}\n")
    git("commit", "-q", "-a", "-m", "broken")
    write("scorers/tone.yaml", PROMPTED)
    said = run("diff", "scorers/tone.yaml@HEAD", "scorers/tone.yaml")
    assert said.exit == 2
    assert said.err.startswith("scorers/tone.yaml@HEAD:2:1: error[unknown-key]: ")


@pytest.mark.parametrize("words", [("s.yaml", "latest"), ("b.jsonl", "s.yaml@HEAD")])
def test_the_two_kinds_do_not_mix(run, project, words):
    said = run("diff", *words)
    assert said.exit == 2
    assert "is a scorer file and" in said.err


@pytest.mark.parametrize("option", [("--fail-on", "regression"), ("--report", "x.md")])
def test_scorers_have_no_regression(run, repository, option):
    said = run("diff", "scorers/tone.yaml", "scorers/code.yaml", *option)
    assert said.exit == 2
    assert "is for experiments" in said.err


def test_two_files_are_compared_without_git(run, repository, write):
    write("other.yaml", "id: other\ndescription: d\nsteps: {generateScore: {expression: '1'}}\n")
    said = run("diff", "scorers/code.yaml", "other.yaml")
    assert said.exit == 0
    assert said.out.startswith("code → other: scorers/code.yaml → other.yaml\n")


def test_keys_in_a_definition_are_masked(run, write, project):
    secret = "sk-abcdefghij0123456789abcdef"
    write("a.yaml", SCORER.format(more=f"x-key: {secret}", expression="1"))
    write("b.yaml", SCORER.format(more="", expression="1"))
    for options in ((), ("--json",)):
        assert secret not in run("diff", "a.yaml", "b.yaml", *options).out


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (["claims@HEAD", "claims"], "write scorers/c.yaml@HEAD"),
        (["claims", "claims@HEAD"], "write scorers/c.yaml@REVISION"),
        (["nobody@HEAD", "claims"], "write PATH@HEAD"),
        (["faithfulness@HEAD", "faithfulness"], "write PATH@HEAD"),
    ],
)
def test_a_scorer_that_is_named_by_its_id_is_told_to_be_named_by_its_file(run, write, words, fix):
    write("scorers/c.yaml", 'id: claims\nsteps: {generateScore: {expression: "1"}}\n')
    write("runs.jsonl", [{"runId": "a", "output": 1}])
    for _ in range(2):  # without a store, and with one
        done = run("diff", *words)
        assert (done.exit, f"'{words[0]}' names neither an experiment nor a scorer file" in done.err) == (2, True)
        assert f"fix: {fix}\n" in done.err
        assert run("run", "claims", "--data", "runs.jsonl").exit == 0
    assert "PATH@REVISION" in run("diff", "scorers/c.yaml@HEAD", "claims").err
    assert "there is no experiment 'nobody'" in run("diff", "nobody", "latest").err
