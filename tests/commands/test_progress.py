import time
from types import SimpleNamespace

import pytest

from scorerkit.commands import progress as module
from scorerkit.commands.progress import Progress


def runner(seen=3, total=10, failed=1, cost=0.5):
    tally = SimpleNamespace(seen=seen, failed=failed, cost=cost)
    return SimpleNamespace(tallies=[tally], dataset=SimpleNamespace(total=total))


def test_an_experiment_that_is_over_at_once_says_nothing(capsys):
    with Progress() as progress:
        progress.update(runner())
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("total", "words"), [(10, "3 of 10 records"), (None, "3 records")])
def test_a_line_every_ten_seconds_where_there_is_no_terminal(capsys, monkeypatch, total, words):
    now = time.monotonic()
    with Progress() as progress:
        for seconds in (5, 11, 12, 21.5):
            monkeypatch.setattr(module.time, "monotonic", lambda seconds=seconds: now + seconds)
            progress.update(runner(total=total))
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert words in said[0]
    assert "1 failed" in said[0]
    assert "0.5000 USD" in said[0]


def test_quiet_says_nothing_at_all(capsys, monkeypatch):
    with Progress(enabled=False) as progress:
        monkeypatch.setattr(module.time, "monotonic", lambda: 1e9)
        progress.update(runner())
    assert capsys.readouterr().err == ""
