"""An application's results in the project's store, read by the commands."""

import json
import threading

import pytest

from scorerkit.live import scored
from scorerkit.live.background import Background, Scored
from scorerkit.live.kept import StoreSink
from scorerkit.model.result import ScorerResult

pytestmark = pytest.mark.usefixtures("project")

SCORER = """
    id: length
    description: How long it is.
    direction: minimize
    threshold: 3
    steps:
      generateScore: {expression: run.output | length}
"""


def test_what_is_scored_live_is_an_experiment(write, run):
    write("scorers/length.yaml", SCORER)
    sink = StoreSink()
    background = Background()

    @scored("length", sink=sink, background=background)
    def answer(question):
        return question[::-1]

    for question in ("a", "ab", "abcd"):
        answer(question)
    assert background.shutdown(5)
    sink.close()
    assert answer.health.saved == 3
    listed = run("experiments", "--json")
    (experiment,) = json.loads(listed.out)
    assert experiment["status"] == "finished"
    told = json.loads(run("report", sink.experiment_id, "--json").out)
    (found,) = told["scorers"]
    assert (found["id"], found["direction"], found["n"], found["passed"]) == ("length", "minimize", 3, 2)
    exported = run("export", "latest", "--output", "-").results
    assert [row["score"] for row in exported] == [1, 2, 4]


def result(number, scorer="s"):
    return ScorerResult(
        f"r{number}", "scored", number, scorer={"id": scorer, "name": scorer, "version": None, "digest": None}
    )


def test_the_trace_stays_with_the_result(run):
    sink = StoreSink()
    sink(Scored(result(1), "a" * 32, "b" * 16))
    sink.close()
    (row,) = run("export", "latest", "--output", "-").results
    assert row["metadata"] == {"traceId": "a" * 32, "spanId": "b" * 16}


def test_several_threads_and_scorers_share_a_sink(run):
    sink = StoreSink()
    threads = [
        threading.Thread(target=lambda name=name: [sink(Scored(result(i, name))) for i in range(50)])
        for name in ("s", "t", "s")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sink.close()
    sink.close()
    told = json.loads(run("report", "latest", "--json").out)
    assert {scorer["id"]: scorer["n"] for scorer in told["scorers"]} == {"s": 100, "t": 50}
    assert {scorer["notReached"] for scorer in told["scorers"]} == {0}


def test_a_sink_that_got_nothing_is_an_empty_experiment(run):
    StoreSink().close()
    assert run("experiments").exit == 0
