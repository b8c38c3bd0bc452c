import io
import json

import pytest

from scorerkit.commands.list_ import _table as table

SCORER = "id: {}\ntags: [mine]\ndescription: {}\nsteps: {{generateScore: {{expression: run.output}}}}\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def scorers(write):
    write("scorers/a.yaml", "id: a\ndescription: Plain.\ntags: [x]\nsteps: {generateScore: {expression: run.output}}\n")
    write(
        "scorers/b.yaml",
        "id: b\ntype: agent\njudge: {model: openai/m}\n"
        "steps: {generateScore: {prompt: 'Is {{ run.output }} like {{ run.groundTruth }}?'}}\n",
    )
    write("scorers/broken.yaml", "id: broken\nstps: [\n")


def mine(rows):
    return [row for row in rows if row["origin"] == "project"]


def test_scorers_are_listed_with_what_they_need(run, scorers):
    rows = mine(json.loads(run("list", "--json").out))
    assert [(row["id"], row["needs"], row["description"], row["file"]) for row in rows] == [
        ("a", "–", "Plain.", "scorers/a.yaml"),
        ("b", "judge, messages, groundTruth", None, "scorers/b.yaml"),
    ]


def test_the_table_has_a_line_for_each(run, scorers):
    done = run("list", "--tag", "x")
    assert done.exit == 0
    assert done.out.split()[:2] == ["a", "project"]
    assert "Plain." in done.out
    assert len(done.out.splitlines()) == 1


def test_an_id_that_two_files_have_is_an_error(run, scorers, write):
    write("scorers/c.yaml", "id: a\nsteps: {generateScore: {expression: '1'}}\n")
    done = run("list")
    assert (done.exit, "duplicate-id" in done.err, "scorers/c.yaml" in done.err) == (2, True, True)


def test_nothing_there_says_where_to_put_them(run, project):
    done = run("list", "--tag", "none-has-this")
    assert (done.exit, done.out) == (0, "")
    assert "scorers/" in done.err


def test_a_line_holds_the_first_sentence_and_is_aligned(run, write):
    write("scorers/long-id.yaml", SCORER.format("long-id", "|\n  How polite,\n  e.g. kind. Second sentence."))
    write("scorers/b.yaml", SCORER.format("b", "Plain text. 1 is best."))
    lines = run("list", "--tag", "mine").out.splitlines()
    assert [line.split("  ")[-1] for line in lines] == ["Plain text.", "How polite, e.g. kind."]
    assert lines[0].index("Plain") == lines[1].index("How")
    described = [row["description"] for row in json.loads(run("list", "--tag", "mine", "--json").out)]
    assert described == ["Plain text. 1 is best.", "How polite,\ne.g. kind. Second sentence.\n"]


def test_a_line_is_cut_to_the_width_of_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "12")
    monkeypatch.setattr("sys.stdout", Terminal())
    assert table([("a", "project", "–", "Plain."), ("b", "p", "", "")]) == ["a  project …", "b  p"]
