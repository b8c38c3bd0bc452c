"""``merge``: shards as one experiment, and everything that is no part of it refused before a byte is written."""

import json
import re

import pytest

SCORER = """
    id: {id}
    description: d
    {more}
    params: {{k: {{type: number, default: 1}}}}
    steps: {{generateScore: {{expression: "{expression}"}}}}
"""
MOVING = re.compile(r'"(experimentId|startedAt)": ?"[^"]*"|"(durationMs|wallMs)": ?[0-9.]+')


@pytest.fixture
def files(write):
    """Two scorers, and thirty records of which one is broken."""

    def made(expression="run.output", count=30):
        write("s.yaml", SCORER.format(id="s", more="threshold: 0.5", expression=expression))
        write("t.yaml", SCORER.format(id="t", more="direction: minimize", expression="run.output * 2"))
        lines = [json.dumps({"runId": f"r{i}", "output": i / count, "metadata": {"n": i}}) for i in range(count)]
        lines[7] = '{"runId": "r7", "output": '
        return write("runs.jsonl", "\n".join(lines) + "\n")

    made()
    return made


@pytest.fixture
def part(run):
    """(shard, store, options) → scores a shard into a store of its own; one of the shards has the broken line."""

    def scored(shard, *options, store, data="runs.jsonl"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SCORERKIT_STORE", store)
            shards = ("--shard", shard) if shard else ()
            said = run("run", "s.yaml", "t.yaml", "--data", data, *shards, "--quiet", *options)
        assert said.exit in (0, 3), said.err

    return scored


@pytest.fixture
def shards(files, part):
    for i in (1, 2, 3):
        part(f"{i}/3", "--output", f"p{i}.jsonl", store=f"{i}.db")
    return ["2.db", "3.db", "1.db"]


def still(text):
    return MOVING.sub("", text)


def rows(file):
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_all_shards_are_the_whole(run, shards, project):
    run(
        "run",
        "s.yaml",
        "t.yaml",
        "--data",
        "runs.jsonl",
        "--output",
        "whole.jsonl",
        "--report",
        "whole.json",
        "--quiet",
    )
    said = run("merge", *shards, "--output", "merged.jsonl", "--report", "merged.json")
    assert said.exit == 0
    assert "warning" not in said.err
    assert still((project / "merged.jsonl").read_text()) == still((project / "whole.jsonl").read_text())
    whole = (project / "whole.json").read_text().replace("whole.jsonl", "merged.jsonl")
    assert still((project / "merged.json").read_text()) == still(whole)


def test_the_whole_is_an_experiment(run, shards, project):
    said = run("merge", *shards, "--output", "merged.jsonl")
    name = re.search(r"the whole is the experiment (\S+)", said.err)[1]
    assert {row["experimentId"] for row in rows(project / "merged.jsonl")} == {name}
    entry = json.loads(run("experiments", "--json").out)[0]
    assert (entry["id"], entry["status"], len(entry["data"]["merged"])) == (name, "finished", 3)
    assert "shard" not in entry["data"]["selection"]
    assert run("export", name, "--output", "-").out == (project / "merged.jsonl").read_text()
    assert json.loads(run("report", name, "--json").out)["scorers"][0]["n"] == 30
    assert run("diff", name, "merged.jsonl").exit == 0


def test_experiments_of_one_store_are_joined_in_it(run, files, project):
    for i in (1, 2, 3):
        run("run", "s.yaml", "--data", "runs.jsonl", "--shard", f"{i}/3", "--quiet")
    ids = [entry["id"] for entry in json.loads(run("experiments", "--json").out)]
    assert run("merge", *ids, "--output", "merged.jsonl").exit == 0
    run("run", "s.yaml", "--data", "runs.jsonl", "--output", "whole.jsonl", "--quiet")
    assert still((project / "merged.jsonl").read_text()) == still((project / "whole.jsonl").read_text())


def test_a_file_that_is_no_store_is_refused(run, shards, project):
    (project / "text.db").write_text("no database" * 100)
    assert "cannot be used" in refused(run, project, "1.db", "text.db", code="store-unusable")


def test_the_whole_can_be_taken_up_again(run, shards, files, project):
    run("merge", *shards)
    said = run("run", "s.yaml", "t.yaml", "--data", "runs.jsonl", "--resume", "--output", "again.jsonl", "--quiet")
    assert said.exit == 3  # the line is still broken; everything else was there
    assert len(rows(project / "again.jsonl")) == 60


def test_missing_parts_are_named(run, shards):
    said = run("merge", "3.db", "--output", "x.jsonl")
    assert said.exit == 0
    assert "warning: parts are missing: 1/3, 2/3\n" in said.err
    entry = json.loads(run("experiments", "--json").out)[0]
    assert entry["status"] == "stopped"
    assert entry["scorers"][0]["notReached"] is None


def test_files_follow_one_another(run, shards, project):
    said = run("merge", "p2.jsonl", "p1.jsonl", "--output", "x.jsonl")
    assert said.exit == 0
    assert (project / "x.jsonl").read_bytes() == (project / "p2.jsonl").read_bytes() + (
        project / "p1.jsonl"
    ).read_bytes()
    assert "the whole is the experiment" not in said.err


def test_a_store_and_a_file_make_a_file(run, shards, project):
    said = run("merge", "1.db", "p2.jsonl", "--output", "x.jsonl", "--report", "x.json")
    assert said.exit == 0
    assert (project / "x.jsonl").read_bytes() == (project / "p1.jsonl").read_bytes() + (
        project / "p2.jsonl"
    ).read_bytes()
    assert json.loads((project / "x.json").read_text())["scorers"][0]["threshold"] == {"min": 0.5}


def test_files_alone_know_their_direction_from_the_project(run, shards, project):
    run("merge", "p1.jsonl", "--output", "x.jsonl", "--report", "x.json")
    found = json.loads((project / "x.json").read_text())
    assert {scorer["id"]: scorer["direction"] for scorer in found["scorers"]} == {"s": "maximize", "t": "maximize"}
    (project / "scorers").mkdir()
    (project / "t.yaml").rename(project / "scorers" / "t.yaml")
    run("merge", "p1.jsonl", "--output", "x.jsonl", "--report", "x.json")
    found = json.loads((project / "x.json").read_text())
    assert {scorer["id"]: scorer["direction"] for scorer in found["scorers"]} == {"s": "maximize", "t": "minimize"}


def test_files_need_somewhere_to_go(run, shards):
    said = run("merge", "p1.jsonl")
    assert said.exit == 2
    assert "nothing would be left of the merge" in said.err


# -- refused -------------------------------------------------------------------------------------------------------------


def refused(run, project, *words, code):
    said = run("merge", *words, "--output", "x.jsonl")
    assert said.exit == 2
    assert said.err.startswith(f"error[{code}]: "), said.err
    assert not list(project.glob("x.jsonl*"))
    assert not (project / ".scorerkit" / "scorerkit.db").exists()
    return said.err


def test_another_definition_is_refused(run, shards, files, part, project):
    files(expression="run.output / 2")
    part("3/3", "--output", "other.jsonl", store="other.db")
    for words in (["1.db", "other.db"], ["p1.jsonl", "other.jsonl"], ["1.db", "other.jsonl"]):
        err = refused(run, project, *words, code="parts-differ")
        assert "the definition of 's' differ between" in err


def test_other_params_are_refused(run, shards, part, project):
    part("3/3", "-p", "k=2", store="other.db")
    assert "the params of 's' differ between" in refused(run, project, "1.db", "other.db", code="parts-differ")


def test_another_judge_is_refused(run, shards, project, write):
    changed = [{**row, "judgeDigest": "f" * 64} for row in rows(project / "p2.jsonl")]
    write("j.jsonl", changed)
    assert "the judge of 's' differ between" in refused(run, project, "p1.jsonl", "j.jsonl", code="parts-differ")


@pytest.mark.parametrize("words", [["1.db", "1.db"], ["p1.jsonl", "p1.jsonl"], ["1.db", "p1.jsonl"]])
def test_no_record_counts_twice(run, shards, project, words):
    assert "stands in" in refused(run, project, *words, code="duplicate-run-id")


def test_a_file_that_holds_a_record_twice_is_refused(run, shards, project):
    text = (project / "p1.jsonl").read_text()
    (project / "twice.jsonl").write_text(text + text)
    assert "stands twice in twice.jsonl" in refused(run, project, "twice.jsonl", code="duplicate-run-id")


def test_a_line_that_is_cut_is_named(run, shards, project):
    whole = (project / "p1.jsonl").read_bytes()
    (project / "cut.jsonl").write_bytes(whole[:-20])
    err = refused(run, project, "p2.jsonl", "cut.jsonl", code="not-a-result")
    assert f"cut.jsonl:{len(whole.splitlines())}: the line is not whole" in err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda row: row.pop("completedSteps"), "it lacks 'completedSteps'"),
        (lambda row: row.update(grade=1), "it has 'grade'"),
        (lambda row: row.update(scorer={"id": "s"}), "'scorer' is not what it is in results"),
    ],
)
def test_results_of_another_release_are_refused(run, shards, project, write, change, words):
    found = rows(project / "p1.jsonl")
    change(found[1])
    write("other.jsonl", found)
    err = refused(run, project, "other.jsonl", code="not-a-result")
    assert "other.jsonl:2: the line is no result of this release: " in err
    assert words in err


def test_data_is_no_result(run, shards, project):
    refused(run, project, "runs.jsonl", code="not-a-result")


@pytest.mark.parametrize(
    ("word", "code"),
    [("none.db", "unreadable-file"), ("none.jsonl", "unreadable-file"), ("p1.csv", "unknown-format"), ("1.db:none", "unknown-experiment"), ("latest", "unknown-experiment")],
)  # fmt: skip
def test_what_is_not_there_is_named(run, shards, project, word, code):
    refused(run, project, word, code=code)


def test_no_part_is_written_over(run, shards):
    assert run("merge", "p1.jsonl", "--output", "p1.jsonl").exit == 2


def test_other_data_is_joined_part_after_part(run, shards, files, part, write, project):
    write("more.jsonl", [{"runId": f"m{i}", "output": i / 3} for i in range(3)])
    part(None, store="more.db", data="more.jsonl")
    said = run("merge", "1.db", "more.db", "--output", "x.jsonl")
    assert said.exit == 0
    assert "not of one selection of one file" in said.err
    assert [row["runId"] for row in rows(project / "x.jsonl")][-6:] == ["m0", "m0", "m1", "m1", "m2", "m2"]
    assert json.loads(run("report", "latest", "--json").out)["scorers"][0]["n"] == len(rows(project / "x.jsonl")) / 2


def test_a_failed_merge_leaves_no_experiment(run, shards, project):
    said = run("merge", *shards, "--output", "missing/x.jsonl")
    assert said.exit == 2
    assert json.loads(run("experiments", "--json").out) == []
