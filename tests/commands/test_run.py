"""``scorerkit run``: the table of exit codes, and every option that needs no model."""

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SCORER = """
    id: {id}
    description: d
    tags: [{id}]
    {more}
    steps: {{preprocess: {{expression: "run.output"}}, generateScore: {{expression: "{expression}"}}}}
"""


@pytest.fixture
def scorer(write):
    """(expression, further top-level lines) → the name of a scorer file."""

    def made(expression="run.output", more="", name="s"):
        text = SCORER.format(id=name, expression=expression, more="\n    ".join(more.splitlines()))
        return write(f"{name}.yaml", text).name

    return made


@pytest.fixture
def data(write):
    def made(*outputs, name="runs.jsonl"):
        return write(name, [{"runId": f"r{i}", "output": output} for i, output in enumerate(outputs, 1)]).name

    return made


@pytest.fixture
def play(run, scorer, data):
    """(outputs, options) → what a run of the plain scorer came to."""

    def played(outputs, *options, expression="run.output", more=""):
        return run("run", scorer(expression, more), "--data", data(*outputs), "--output", "-", *options)

    return played


def rows(file, suffix=None):
    return [json.loads(line) for line in Path(file).read_bytes().split(b"\n") if line]


# -- exit codes --------------------------------------------------------------------------------------------------------------

FAILS = "1 / run.output"


@pytest.mark.parametrize(
    ("outputs", "options", "how", "code", "words"),
    [
        ([1, 0], [], {}, 0, ""),
        ([1, 0], [], {"more": "threshold: 0.5"}, 0, "passed 1 of 2"),
        ([1, 0], [], {"more": "gate: {mean: 0.6}"}, 1, "gate mean is 0.5"),
        ([1, 0], ["--exit-zero"], {"more": "gate: {mean: 0.6}"}, 0, "gate mean is 0.5"),
        ([1, 0], [], {"more": "gate: {mean: 0.5}"}, 0, "pass"),
        ([1, 0], [], {"more": "threshold: 0.5\ngate: {passRate: 0.6}"}, 1, "passRate"),
        ([1, 0], ["--fail-under", "0.6"], {}, 1, "0.6"),
        ([1, 0], ["--fail-under", "0.5"], {}, 0, ""),
        ([1, 0], ["--fail-under", "0.6"], {"more": "direction: minimize"}, 0, ""),
        ([1, 0], ["--fail-under", "0.4"], {"more": "direction: minimize"}, 1, "0.4"),
        ([1, 0], [], {"expression": FAILS}, 3, "1 of 2 records failed"),
        ([1, 0], ["--max-errors", "1"], {"expression": FAILS}, 0, ""),
        ([1, 0], ["--max-errors", "50%"], {"expression": FAILS}, 0, ""),
        ([1, 0], ["--max-errors", "49%"], {"expression": FAILS}, 3, "0.49"),
        ([1, 0], ["--exit-zero"], {"expression": FAILS}, 3, "failed"),
        ([1, 0], ["--fail-under", "9"], {"expression": FAILS}, 3, "failed"),
        ([0], ["--max-errors", "1"], {"expression": FAILS}, 5, "nothing was scored"),
        ([1], [], {"more": "notScorable: [{when: true, reason: x}]"}, 5, "nothing was scored"),
        ([1, 0], [], {"more": "gate: {maxNotScorable: 0}\nnotScorable: [{when: run.output == 0, reason: x}]"}, 1, "notScorable"),
        ([1, 0], [], {"more": "gate: {maxNotScorable: 0.5}\nnotScorable: [{when: run.output == 0, reason: x}]"}, 0, ""),
        ([], [], {}, 5, "record"),
        ([1], ["--where", "row.output == 7"], {}, 5, "record"),
        ([1], ["--tag", "other"], {}, 5, "tag"),
        ([1], ["--data", "gone.jsonl"], {}, 2, "gone.jsonl"),
        ([1], ["--max-errors", "some"], {}, 2, "--max-errors"),
        ([1], ["--limit", "0"], {}, 2, "--limit"),
        ([1], ["--concurrency", "0"], {}, 2, "concurrency"),
        ([1], ["--nonsense"], {}, 2, "--nonsense"),
        ([1], ["-p", "w=1"], {}, 2, "bad-param"),
        ([1], ["-p", "w"], {}, 2, "-p"),
        ([1], ["--include", "everything"], {}, 2, "run"),
        ([1], ["--exclude", "everything"], {}, 2, "prompts"),
        ([1], ["--report", "r.docx"], {}, 2, "r.docx"),
        ([1], ["--report", "gone/r.md"], {}, 2, "folder"),
        ([1], ["--output", "gone/r.jsonl"], {}, 2, "folder"),
        ([1], ["--output", "r.docx"], {}, 2, "r.docx"),
        ([1], ["--map", "outptu=x"], {}, 2, "outptu"),
        ([1], ["--map", "output"], {}, 2, "--map"),
        ([1], ["--where", "row."], {}, 2, "--where"),
        ([1], ["--project", "gone"], {}, 2, "gone"),
        ([1], [], {"more": "stps: {}"}, 2, "unknown-key"),
        ([1], [], {"expression": "run.outptu"}, 2, "unknown-name"),
    ],
)  # fmt: skip
def test_one_exit_code_has_one_meaning(play, outputs, options, how, code, words):
    done = play(outputs, *options, **how)
    assert (done.exit, "Traceback" in done.err) == (code, False), done.err
    assert words in done.err


def test_a_bug_of_ours_is_one_line_and_a_log(play, project, clean):
    from scorerkit import experiment

    def broken(*_):
        name = "stage with sk-secret-1"
        raise KeyError(name)

    clean.setenv("XDG_CACHE_HOME", str(project / "cache"))
    clean.setenv("MY_API_KEY", "sk-secret-1")
    clean.setattr(experiment.Runner, "take", broken)
    done = play([1])
    log = project / "cache/scorerkit/scorerkit.log"
    assert done.exit == 70
    assert done.err.splitlines()[-2:] == [
        "scorerkit stopped on an unexpected error: KeyError: 'stage with ***'",
        f"  the details are in {log}",
    ]
    assert "Traceback" in log.read_text()
    assert "sk-secret-1" not in log.read_text()


def test_an_interrupt_ends_with_130_and_keeps_what_was_scored(run, write, data, clean):
    write(
        "mine.py",
        """
        import os, signal
        async def score(run):
            import asyncio
            if run.output == 3:
                os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0.001)
            return 1
        """,
    )
    write("s.yaml", "id: s\nsteps: {generateScore: {function: mine.score}}\n")
    done = run("run", "s.yaml", "--data", data(1, 2, 3, 4), "--output", "out.jsonl", "-j", "1")
    assert done.exit == 130
    assert len(rows("out.jsonl" if Path("out.jsonl").exists() else "out.jsonl.partial")) == 2


def test_time_that_is_used_up_is_inconclusive(run, write, data):
    write("mine.py", "import asyncio\nasync def score(run):\n    await asyncio.sleep(run.output)\n    return 1\n")
    write("s.yaml", "id: s\nsteps: {generateScore: {function: mine.score}}\n")
    done = run("run", "s.yaml", "--data", data(0, 60, 60), "--output", "-", "--timeout", "0.3", "-j", "1")
    assert done.exit == 3
    assert [row["runId"] for row in done.results] == ["r1"]
    assert "2 not reached" in done.err


def test_fail_fast_stops(play):
    done = play([1, 0, 1, 1], "-x", expression=FAILS)
    assert done.exit == 3
    assert [row["status"] for row in done.results] == ["scored", "failed"]
    assert "2 not reached" in done.err


# -- data ----------------------------------------------------------------------------------------------------------------------


def test_data_comes_from_standard_input(run, scorer, project):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = ["run", scorer(), "--data", "-", "--output", "-", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "scorerkit", *words],
        input=b'{"runId": "a", "output": 1}\n\n{"runId": "a", "output": 0}\nbroken\n',
        capture_output=True,
        cwd=project,
        env=environment,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 3
    codes = [(row["runId"], row["status"], (row["error"] or {}).get("code")) for row in found]
    assert codes == [("a", "scored", None), (None, "failed", "duplicate-run-id"), (None, "failed", "bad-record")]


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("runs.csv", "runId,output\nr1,1\n", []),
        ("runs.tsv", "runId\toutput\nr1\t1\n", []),
        ("runs.json", '[{"runId": "r1", "output": "1"}]', []),
        ("runs.yaml", "- {runId: r1, output: '1'}\n", []),
        ("runs.txt", "runId,output\nr1,1\n", ["--data-format", "csv"]),
        ("runs.ndjson", '{"runId": "r1", "output": "1"}\n', []),
        ("runs.jsonl.gz", gzip.compress(b'{"runId": "r1", "output": "1"}\n', mtime=0), []),
    ],
)
def test_every_format_of_data(run, scorer, write, name, content, options):
    write(name, content)
    done = run("run", scorer("run.output | int"), "--data", name, "--output", "-", *options)
    assert [(row["runId"], row["score"]) for row in done.results] == [("r1", 1)]


def test_fields_are_mapped_and_records_selected(run, scorer, write):
    write("runs.jsonl", [{"id": f"x{i}", "reply": {"text": i}, "lang": "ja" if i % 2 else "en"} for i in range(6)])
    options = ["--map", "output=reply.text", "--map", "runId=id", "--where", "row.lang == 'ja' and run.output > 1"]
    done = run("run", scorer(), "--data", "runs.jsonl", "--output", "-", *options)
    assert [row["runId"] for row in done.results] == ["x3", "x5"]
    assert (
        run("run", "s.yaml", "--data", "runs.jsonl", "--output", "-", *options, "--limit", "1").results[0]["runId"]
        == "x3"
    )


def test_a_sample_is_the_same_every_time_and_keeps_the_order(play):
    def sample(*options):
        return [row["runId"] for row in play(list(range(50)), *options).results]

    one = sample("--sample", "10")
    assert one == sample("--sample", "10")
    assert len(one) == 10
    assert one == sorted(one, key=lambda name: int(name[1:]))
    assert one != sample("--sample", "10", "--seed", "1")


def test_equal_ids_are_refused_or_numbered(run, scorer, write):
    write("runs.jsonl", [{"runId": "a", "output": 1}, {"runId": "a", "output": 0}])
    done = run("run", scorer(), "--data", "runs.jsonl", "--output", "out.jsonl")
    assert done.exit == 2
    assert "'a'" in done.err
    assert not list(Path().glob("out*"))
    done = run("run", "s.yaml", "--data", "runs.jsonl", "--output", "-", "--duplicate-ids", "suffix")
    assert [row["runId"] for row in done.results] == ["a", "a-2"]


def test_a_scorer_s_own_data_is_scored(run, scorer, data):
    data(1, 0, 1)
    done = run("run", scorer(more="data: {file: runs.jsonl, limit: 2, where: run.output == 1}"), "--output", "-")
    assert [row["runId"] for row in done.results] == ["r1", "r3"]


def test_no_data_at_all_is_said(run, scorer):
    done = run("run", scorer())
    assert (done.exit, "names no data" in done.err) == (2, True)


def test_two_scorers_with_different_data_want_to_be_told(run, scorer, data):
    one = scorer(more=f"data: {data(1, name='a.jsonl')}", name="one")
    two = scorer(more=f"data: {data(1, name='b.jsonl')}", name="two")
    done = run("run", one, two)
    assert (done.exit, "a.jsonl" in done.err, "b.jsonl" in done.err) == (2, True, True)


# -- scorers -------------------------------------------------------------------------------------------------------------------


def test_several_scorers_share_one_pass(run, scorer, data):
    one, two = scorer(name="one"), scorer("1 - run.output", name="two")
    done = run("run", one, two, "--data", data(1, 0), "--output", "-")
    assert [(row["runId"], row["scorer"]["id"], row["score"]) for row in done.results] == [
        ("r1", "one", 1), ("r1", "two", 0), ("r2", "one", 0), ("r2", "two", 1),
    ]  # fmt: skip


def test_a_folder_and_tags_select_scorers(run, write, data):
    for name in ("one", "two"):
        write(
            f"scorers/{name}.yaml", f"id: {name}\ntags: [{name}, both]\nsteps: {{generateScore: {{expression: '1'}}}}\n"
        )
    file = data(1)
    for tag, ids in (("one", ["one"]), ("both", ["one", "two"])):
        done = run("run", "scorers", "--data", file, "--tag", tag, "--output", "-")
        assert [row["scorer"]["id"] for row in done.results] == ids


def test_an_id_is_found_and_said(run, write, data):
    write("scorers/x.yaml", "id: tone\nsteps: {generateScore: {expression: '1'}}\n")
    done = run("run", "tone", "--data", data(1), "--output", "-")
    assert done.results[0]["scorer"]["id"] == "tone"
    assert "scorers/x.yaml (project)" in done.err


def test_two_scorers_with_one_id_are_refused(run, write, data):
    write("a.yaml", "id: x\nsteps: {generateScore: {expression: '1'}}\n")
    write("b.yaml", "id: x\nsteps: {generateScore: {expression: '0'}}\n")
    done = run("run", "a.yaml", "b.yaml", "--data", data(1))
    assert (done.exit, "duplicate-id" in done.err) == (2, True)


def test_params_are_text_or_json_as_their_schema_says(run, scorer, data):
    more = "params: {w: {type: number, default: 1}, t: {type: string, default: a}}"
    done = run("run", scorer("params.w", more), "--data", data(1), "--output", "-", "-p", "w=0.5", "-p", "t=2=3")
    assert (done.results[0]["score"], done.results[0]["params"]) == (0.5, {"w": 0.5, "t": "2=3"})


def test_problems_of_all_files_come_in_one_go_and_as_data(run, write, data):
    for name in ("a", "b"):
        write(f"{name}.yaml", f"id: {name}\nstps: {{}}\n")
    done = run("run", "a.yaml", "b.yaml", "--data", data(1), "--output-format", "json")
    assert {problem["path"] for problem in json.loads(done.out)["problems"]} == {"a.yaml", "b.yaml"}
    assert done.exit == 2


# -- output --------------------------------------------------------------------------------------------------------------------


def test_standard_output_is_pure_results(play):
    done = play([1, 0], more="threshold: 0.5")
    assert len(done.out.splitlines()) == 2
    assert len(done.results) == 2
    assert "2 scored" in done.err


def test_without_an_output_nothing_is_written_to_standard_output(run, scorer, data, project):
    done = run("run", scorer(), "--data", data(1))
    assert (done.exit, done.out) == (0, "")
    assert not list(project.glob("*.partial"))


def test_many_outputs_at_once(run, scorer, data):
    names = ["out.jsonl", "out.csv", "out.json", "out.ndjson", "-"]
    done = run("run", scorer(), "--data", data(1, 0), *(word for name in names for word in ("--output", name)))
    scores = [row["score"] for row in done.results]
    assert scores == [row["score"] for row in rows("out.jsonl")] == [1, 0]
    assert [row["score"] for row in json.loads(Path("out.json").read_text())] == [1, 0]
    assert [row["score"] for row in csv.DictReader(io.StringIO(Path("out.csv").read_text()))] == ["1", "0"]
    assert Path("out.ndjson").read_bytes() == Path("out.jsonl").read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        ["--output", "runs.jsonl"],
        ["--output", "./runs.jsonl"],
        ["--output", "out.json", "--output", "out.json"],
        ["--output", "out.json", "--report", "./out.json"],
        ["--output", "-", "--output", "-"],
        ["--report", "s.md", "--report", "s.md"],
        ["--output", "link.jsonl"],
    ],
    ids=" ".join,
)
def test_no_file_is_written_twice_or_over_one_that_is_read(run, scorer, data, project, options):
    file = data(1)
    (project / "link.jsonl").symlink_to(file)
    before = (project / file).read_bytes()
    done = run("run", scorer(), "--data", file, *options)
    assert (done.exit, "named twice" in done.err) == (2, True)
    assert (project / file).read_bytes() == before
    assert sorted(each.name for each in project.glob("*.*")) == ["link.jsonl", "runs.jsonl", "s.yaml", "scorerkit.toml"]


def test_an_output_that_cannot_be_made_leaves_no_others_behind(run, scorer, data, project):
    done = run("run", scorer(), "--data", data(1), "--output", "a.jsonl", "--output", "gone/b.jsonl")
    assert done.exit == 2
    assert not list(project.glob("a.*"))


@pytest.mark.parametrize(
    "options",
    [
        ["--output", "z.txt"],
        ["--output", "gone/z.jsonl"],
        ["--output", "."],
        ["--emit", "nowhere"],
        ["--emit", "otlp:gone/z.jsonl"],
        ["--report", "z.docx"],
    ],
)
def test_a_run_that_never_began_leaves_no_experiment(run, scorer, data, options):
    play = ["run", scorer("1 / run.output"), "--data", data(1, 0), "--quiet"]
    assert run(*play).exit == 3
    before = json.loads(run("experiments", "--json").out)
    done = run(*play, *options)
    assert (done.exit, "go on with" in done.err) == (2, False)
    assert json.loads(run("experiments", "--json").out) == before
    assert run(*play, *options, "--resume").exit == 2
    (after,) = json.loads(run("experiments", "--json").out)
    assert {**after, "endedAt": 0} == {**before[0], "endedAt": 0}


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_folder_that_is_read_only_is_said_before_scoring(run, scorer, data, project):
    (project / "out").mkdir(mode=0o500)
    done = run("run", scorer(), "--data", data(1), "--output", "out/r.jsonl")
    assert (done.exit, "cannot be written" in done.err) == (2, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_inconclusive(project, scorer, data):
    words = ["run", scorer(), "--data", data(*range(2000)), "--output", "-"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "scorerkit", *words],
            stdout=full, stderr=subprocess.PIPE, cwd=project, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        )  # fmt: skip
    assert done.returncode == 3
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_traceback(project, scorer, data):
    tool = f"{sys.executable} -m scorerkit"
    line = f"{tool} run {scorer()} --data {data(*range(5000))} --output - | head -1 > first.jsonl"
    done = subprocess.run(
        ["/bin/bash", "-c", f"set -o pipefail; {line}"],
        capture_output=True, cwd=project, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
    )  # fmt: skip
    assert done.returncode == 3
    assert rows(project / "first.jsonl")[0]["runId"] == "r1"
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_results_are_thinned_and_fattened(play):
    [row] = play([1], "--include", "run", "--exclude", "steps", "--exclude", "metadata").results
    assert (row["run"]["output"], "preprocessStepResult" in row, "metadata" in row) == (1, False, False)


def test_reports_are_written_by_suffix(run, scorer, data):
    done = run("run", scorer(more="gate: {mean: 0.9}"), "--data", data(1, 0), "--report", "s.json", "--report", "s.md")
    summary = json.loads(Path("s.json").read_text())
    assert (done.exit, summary["scorers"][0]["mean"], summary["data"]["source"]) == (1, 0.5, "runs.jsonl")
    assert "**missed**" in Path("s.md").read_text()


def test_quiet_says_errors_only(play):
    assert play([1, 0], "--quiet").err == ""
    done = play([1, 0], "--quiet", expression=FAILS)
    assert "2 scored" not in done.err
    assert "run r2: error[step-failed]" in done.err


def test_many_failures_are_cut_short_unless_all_are_wanted(play):
    def shown(*options):
        return len(re.findall(r"^run r\d+: error", play([0] * 30, *options, expression=FAILS).err, re.MULTILINE))

    assert shown() == 20
    assert shown("--verbose") == 30


def test_a_failed_record_is_shown_with_its_place(play):
    done = play([0], expression=FAILS)
    block = done.err[done.err.index("run r1:") :].splitlines()
    assert block[0].startswith("run r1: error[step-failed]: ")
    assert block[1].startswith("  at s.yaml:")
    assert "why: with run.output = 0" in done.err


def test_unordered_results_are_all_there(play):
    done = play(list(range(10)), "--unordered", "-j", "4")
    assert sorted(row["runId"] for row in done.results) == sorted(f"r{i}" for i in range(1, 11))


def test_warnings_come_before_the_results_unless_quiet(play):
    assert "warning[no-tests]" in play([1]).err
    assert "warning" not in play([1], "--quiet").err


def test_warnings_are_a_line_each_and_not_said_again_when_an_experiment_goes_on(play):
    done = play([0, 1], expression=FAILS)
    warnings = [line for line in done.err.splitlines() if "warning[" in line]
    assert len(warnings) == 2
    before = done.err[: done.err.index("run r1:")].splitlines()
    assert before == [*warnings, "  more: scorerkit check s.yaml"]
    again = play([0, 1], "--resume", expression=FAILS)
    assert "run r1:" in again.err
    assert "warning[" not in again.err


def test_a_deprecated_scorer_says_what_to_use(play):
    assert "deprecated: use tone-2" in play([1], more="deprecated: use tone-2").err


# -- colour --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "environment", "coloured"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ([], {"NO_COLOR": "1"}, False),
    ],
)
def test_colour_only_where_it_is_wanted(run, write, clean, words, environment, coloured):
    for name, value in environment.items():
        clean.setenv(name, value)
    write("s.yaml", "id: s\nstps: {}\n")
    assert ("\x1b[" in run(*words, "check", "s.yaml").err) is coloured


# -- judges, recorded ----------------------------------------------------------------------------------------------------------

JUDGED = """
    id: judged
    judge: {model: openai/gpt-4o-mini-2024-07-18}
    range: {min: 0, max: 1}
    steps: {generateScore: {prompt: "Rate {{ run.output }}"}}
"""


def test_a_missing_key_is_one_error_before_the_first_record(run, write, data):
    write("s.yaml", JUDGED)
    done = run("run", "s.yaml", "--data", data(1, 2), "--output", "out.jsonl")
    assert done.exit == 2
    assert done.err.count("error[no-api-key]") == 1
    assert "OPENAI_API_KEY" in done.err
    assert not list(Path().glob("out*"))


def test_a_prompt_without_a_model_is_an_error(run, write, data):
    write("s.yaml", JUDGED.replace("judge: {model: openai/gpt-4o-mini-2024-07-18}\n", "\n"))
    done = run("run", "s.yaml", "--data", data(1))
    assert (done.exit, ": error[no-judge]: generateScore has a prompt" in done.err) == (2, True)


def test_the_last_words_without_a_model_are_an_error_with_a_fix(run, data):
    done = run("run", "faithfulness", "--data", data("x"))
    assert done.exit == 2
    *_, last, fix = done.err.splitlines()
    assert last == "error[no-judge]: nothing was scored: no model is named that could answer the prompts"
    assert "--judge-model" in fix
    assert "scorerkit.toml" in fix
    assert "warning" not in done.err
    github = run("run", "faithfulness", "--data", data("x"), "--output-format", "github")
    assert all(line.startswith("::error ") for line in github.out.splitlines())
    assert "--judge-model" in github.out.splitlines()[-1]


@pytest.mark.parametrize("options", [[], ["--workers", "2"], ["--base-url", "http://127.0.0.1:9/v1"]])
def test_a_budget_that_cannot_hold_is_refused_before_the_first_record(run, write, data, clean, options):
    clean.setenv("OPENAI_API_KEY", "k")
    write("s.yaml", JUDGED)
    call = ["run", "s.yaml", "--data", data(1), "--judge-model", "openai/unknown", "--budget", "1", *options]
    done = run(*call)
    assert (done.exit, "--budget cannot hold: the price of openai/unknown" in done.err) == (2, True), done.err
    assert json.loads(run("experiments", "--json").out or "[]") == []


def test_a_budget_is_no_matter_where_nobody_is_asked(run, write, data):
    write("s.yaml", JUDGED)
    header = {"scorerkit": "recordings", "version": 1, "match": "record", "source": "a published evaluation"}
    write("rec.jsonl", [header, {"runId": "r1", "step": "generateScore", "answer": {"score": 0.5}}])
    call = ["run", "s.yaml", "--data", data(1), "--judge-model", "openai/unknown", "--budget", "1"]
    assert run(*call, "--replay", "rec.jsonl").exit == 0


# -- annotations of a job ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outputs", "options", "how", "told"),
    [
        ([1, 0], [], {"more": "gate: {mean: 0.6}"}, ["error title=scorerkit run::s: gate mean is 0.5; wanted at least 0.6"]),
        ([1, 0], ["--exit-zero"], {"more": "gate: {mean: 0.6}"}, ["warning title=scorerkit run::s: gate mean is"]),
        ([1, 0], ["--fail-under", "0.6"], {}, ["error title=scorerkit run::s: the mean 0.5 is on the worse side"]),
        (
            [1, 0], [], {"expression": FAILS},
            ["error title=scorerkit run::s: 1 of 2 records failed", "error file=s.yaml,line=5,title=scorerkit step-failed::run r2: "],
        ),
        ([1, 0], ["--max-errors", "1"], {"expression": FAILS}, ["warning file=s.yaml,line=5,title=scorerkit step-failed::run r2: "]),
        ([1], ["-x", "--where", "row.output == 7"], {}, ["error title=scorerkit run::"]),
        ([1], ["--output", "z.txt"], {}, ["error title=scorerkit unknown-format::the name 'z.txt' does not say"]),
        ([1], ["--data", "gone.jsonl"], {}, ["error title=scorerkit "]),
        ([1], [], {"expression": "run.outptu"}, ["error file=s.yaml,line=5,"]),
        ([1, 0], [], {}, []),
    ],
)  # fmt: skip
def test_a_job_is_annotated_with_what_failed(run, scorer, data, outputs, options, how, told):
    done = run("run", scorer(**how), "--data", data(*outputs), "--quiet", "--output-format", "github", *options)
    lines = done.out.splitlines()
    assert len(lines) == len(told), done.out
    assert all(line.startswith(f"::{start}") for line, start in zip(lines, told, strict=True)), done.out


def test_annotations_are_few_and_one_line_each_and_hold_no_key(run, write):
    key = "sk-" + "a1" * 12
    outputs = [{"runId": f"r{n}\n::error::x", "output": f"{key} %0A"} for n in range(30)]
    write("runs.jsonl", outputs)
    write("s.yaml", SCORER.format(id="s", more="", expression="run.output * run.output"))
    done = run("run", "s.yaml", "--data", "runs.jsonl", "--quiet", "--output-format", "github")
    assert len(done.out.splitlines()) == 21
    assert all(line.startswith("::error ") for line in done.out.splitlines())
    assert key not in done.out


def test_results_on_standard_output_stay_alone_there(play):
    done = play([1, 0], "--output-format", "github", "--quiet", expression=FAILS)
    assert len(done.results) == 2
    assert "::error file=s.yaml" in done.err


def test_an_external_recording_is_said_everywhere(run, write, data):
    write("s.yaml", JUDGED)
    header = {"scorerkit": "recordings", "version": 1, "match": "record", "source": "a published evaluation"}
    entry = {"runId": "r1", "step": "generateScore", "answer": {"score": 0.5}}
    write("rec.jsonl", [header, entry])
    done = run("run", "s.yaml", "--data", data(1), "--replay", "rec.jsonl", "--output", "-", "--no-store")
    assert done.results[0]["recorded"] == "external"
    assert "a published evaluation" in done.err


# -- the records that reports name ---------------------------------------------------------------------------------------


def named(file):
    return [{key: scorer[key] for key in ("failures", "worst")} for scorer in rows_of(file)]


def rows_of(file):
    return json.loads(Path(file).read_text("utf-8"))["scorers"]


def test_every_way_to_the_same_results_names_the_same_records(run, write):
    lines = [json.dumps({"runId": f"r{n}", "output": (n * 37) % 101 - 1}) for n in range(120)]
    lines[50] = "{"
    write("runs.jsonl", "\n".join(lines) + "\n")
    words = [
        write("a.yaml", SCORER.format(id="a", more="threshold: 3", expression="10 / (run.output % 50)")).name,
        write("b.yaml", SCORER.format(id="b", more="direction: minimize", expression="run.output % 7")).name,
    ]

    def reported(name, *options, data="runs.jsonl"):
        run("run", *words, "--data", data, "--report", name, "--quiet", *options)
        return named(name)

    first = reported("one.json")
    assert [len(found["failures"]) for found in first] == [3, 1]
    assert [len(found["worst"]) for found in first] == [20, 20]
    assert {entry["code"] for entry in first[0]["failures"]} == {"step-failed", "bad-record"}
    assert first[1]["failures"][0]["at"] == "runs.jsonl:51"
    assert all(entry["passed"] is False for entry in first[0]["worst"])
    assert run("report", "latest", "--report", "two.json").out.count("error[") == 4
    assert named("two.json") == first
    assert reported("three.json", "--workers", "2") == first
    assert reported("four.json", "--resume") == first
    for part in ("1/2", "2/2"):
        run("run", *words, "--data", "runs.jsonl", "--shard", part, "--quiet", "--output", f"{part[0]}.jsonl")
    ids = [one["id"] for one in json.loads(run("experiments", "--json", "--limit", "2").out)]
    assert run("merge", *ids, "--report", "five.json").exit == 0
    assert named("five.json") == first
    run("merge", "1.jsonl", "2.jsonl", "--output", "all.jsonl", "--report", "six.html")
    assert "Outside the threshold" in Path("six.html").read_text("utf-8")


def test_the_summary_on_the_terminal_stays_short(play):
    done = play([1, 0, 3], more="threshold: 2")
    assert "passed 1 of 3" in done.err
    assert "outside the threshold" not in done.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--where", "metadata.a is defined"], ["--where: 'metadata' is not known", "write 'run.metadata'"]),
        (["--where", "row.lan == 'en'"], ["--where: row has no 'lan'", "did you mean 'lang'?"]),
        (["--where", "row.lang = 'en'"], ["--where: it does not parse", "compare with '=='"]),
        (["--map", "input=lagn"], ["'runs.csv' has no column 'lagn'", "did you mean 'lang'?"]),
    ],
)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_what_a_header_shows_to_be_wrong_is_refused_before_scoring(run, scorer, write, options, words, suffix):
    import pyarrow as pa
    from pyarrow import parquet

    write("runs.csv", "lang,output\nen,1\n")
    parquet.write_table(pa.table({"lang": ["en"], "output": [1]}), "runs.parquet")
    done = run("run", scorer(), "--data", f"runs.{suffix}", "--output", "-", *options)
    assert (done.exit, done.out) == (2, "")
    assert all(word.replace("csv", suffix) in done.err for word in words)


def test_what_a_header_shows_of_a_scorers_own_data_is_refused_too(run, scorer, write):
    write("runs.csv", "lang,output\nen,1\n")
    own = run("run", scorer(more="data: {file: runs.csv, where: row.lan == 'en'}"))
    assert (own.exit, "'where' of runs.csv: row has no 'lan'" in own.err) == (2, True)
    mapped = run("run", scorer(more="data: {file: runs.csv, map: {input: lnag}}"))
    assert (mapped.exit, "has no column 'lnag'" in mapped.err) == (2, True)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--fail-under", "95%", "'95%' is not a number: write 0.95, or a number in the scorer's range."),
        ("--fail-under", "high", "'high' is not a number."),
        ("--budget", "5%", "'5%' is not a number."),
        ("--base-url", "127.0.0.1:8765", "the address '127.0.0.1:8765' must begin with http:// or https://"),
        ("--base-url", "127.0.0.1:8765", "fix: --base-url http://127.0.0.1:8765"),
        ("--base-url", "ftp://a/v1", "fix: --base-url http://a/v1"),
    ],
)
def test_a_number_or_an_address_that_is_none_is_refused_with_what_to_write(run, scorer, data, option, value, words):
    done = run("run", scorer(), "--data", data(1), option, value)
    assert (done.exit, words in " ".join(done.err.split())) == (2, True)


def test_a_profiles_address_that_is_none_is_pointed_at(run, scorer, write):
    write("scorerkit.toml", '[models.m]\nmodel = "openai/m"\nbaseUrl = "localhost:1"\n')
    done = run("check", scorer())
    assert done.exit == 2
    assert "scorerkit.toml:3:11: error[unknown-value]: 'baseUrl' cannot be 'localhost:1'" in done.err
    assert "fix: use an address that begins with http:// or https://" in done.err


def test_one_record_is_one(run, scorer, data):
    assert "  1 record: 1 scored, " in run("run", scorer(), "--data", data(1)).err
    assert "  2 records: 2 scored, " in run("run", scorer(), "--data", data(1, 1)).err


def test_a_record_for_which_the_filter_fails_says_that_it_is_the_filter(run, scorer, write):
    write("runs.jsonl", [{"lang": "en", "output": 1}, {"lan": "en", "output": 1}])
    done = run("run", scorer(), "--data", "runs.jsonl", "--where", "row.lang == 'en'")
    assert done.exit == 3
    assert "error[unknown-name]: --where: row has no 'lang'\n  at runs.jsonl:2\n" in done.err
    assert "fix: did you mean 'lan'?" in done.err


@pytest.mark.parametrize("values", [(1e160, 2e160), (1e308, 1e308), (1.7e308, -1.7e308)])
def test_scores_at_the_end_of_the_range_of_floats_are_summed_up(run, write, values):
    write("s.yaml", SCORER.format(id="s", more="", expression="run.output"))
    write("runs.jsonl", [{"runId": f"r{n}", "output": value} for n, value in enumerate(values)])
    done = run("run", "s.yaml", "--data", "runs.jsonl", "--report", "s.json", "--report", "s.html", "--report", "s.md")
    assert done.exit == 0, done.err
    (found,) = rows_of("s.json")
    assert found["mean"] == found["median"] == sum(value / 2 for value in values)
    assert run("report", "latest").exit == 0
