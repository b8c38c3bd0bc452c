"""Hundreds of records while a provider fails now and then, with the default configuration, beside what others take."""

import pytest
from judge_runs_others import with_instructor, with_sdk

STORM = {"429": 0.1, "500": 0.014, "malformed": 0.008}
COUNT = 500
ROUNDS = 2


def no_slower(ours, theirs, bound):
    """Whether the quickest of our rounds is within the bound: other processes only ever add to a time."""
    ours()  # loads the libraries
    times = [(ours(), theirs()) for _ in range(ROUNDS)]
    mine, other = (min(column) for column in zip(*times, strict=True))
    print(f"{mine:.2f} s and {other:.2f} s: {mine / other:.2f}×")
    return mine <= bound * other


def test_a_few_records_in_a_storm_are_all_scored(serve, score):
    with serve(faults={"429": 0.2, "500": 0.1, "malformed": 0.1}) as server:
        ran = score(server, 40, "--no-cache")
        stats = server.stats()
    assert ran.exit == 0, ran.err
    assert {result["status"] for result in ran.results} == {"scored"}
    assert stats["requests"] == 40 + sum(count for kind, count in stats["counts"].items() if kind != "ok")


@pytest.mark.slow
def test_a_storm_that_clears_loses_nothing_and_costs_no_more_than_instructor(serve, score):
    def ours():
        with serve(faults=STORM) as server:
            ran = score(server, COUNT, "--no-cache")
            stats = server.stats()
        assert (ran.exit, ran.summary["scorers"][0]["scored"]) == (0, COUNT), ran.err
        assert stats["most"] == 2
        return ran.summary["wallMs"] / 1000

    def theirs():
        with serve(faults=STORM) as server:
            seconds, lost = with_instructor(server.url, COUNT)
        assert lost == 0
        return seconds

    assert no_slower(ours, theirs, 1.1)


@pytest.mark.slow
def test_a_storm_that_never_clears_ends_and_names_each_lost_record(serve, score):
    def ours():
        with serve(faults=STORM, clears=False) as server:
            ran = score(server, COUNT, "--no-cache", "--verbose")
            stats = server.stats()
        lost = {result["runId"]: result["error"] for result in ran.results if result["status"] == "failed"}
        assert ran.exit == 3
        assert len(ran.results) == COUNT
        assert len(lost) == 60  # of these 500, as the server decides
        assert {error["code"] for error in lost.values()} == {"judge-unavailable", "unusable-answer"}
        assert all(f"run {name}: error[{error['code']}]" in ran.err for name, error in lost.items())
        assert all(error["why"] for error in lost.values())
        assert stats["most"] == 3
        return ran.summary["wallMs"] / 1000

    def theirs():
        with serve(faults=STORM, clears=False) as server:
            return with_sdk(server.url, COUNT)[0]

    assert no_slower(ours, theirs, 1.2)


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "wait"), [(8, "1"), (3, "1")])
def test_against_a_real_limiter_nothing_is_lost_and_fewer_requests_are_refused(serve, score, limit, wait):
    options = {"limit": limit, "latency_ms": 20, "headers": {"retry-after": wait}}
    with serve(**options) as server:
        ran = score(server, 300, "--no-cache")
        ours = server.stats()["counts"]
    assert ran.exit == 0, ran.err
    with serve(**options) as server:
        with_sdk(server.url, 300)
        theirs = server.stats()["counts"]
    print(ours, theirs)
    assert ours["ok"] == 300
    assert ours["429"] < theirs["429"]
