"""The project's store as a sink: what an application is scored with becomes an experiment of its own."""

from __future__ import annotations

import atexit
import contextlib
import datetime as dt
import json
import threading
import time
from typing import TYPE_CHECKING, Any

from scorerkit import __version__
from scorerkit.experiment import new_id
from scorerkit.loader import open_project
from scorerkit.model.plan import Plan
from scorerkit.report.card import card_of
from scorerkit.report.summary import Experiment, summarise
from scorerkit.report.tally import Tally
from scorerkit.results.row import RowMaker

if TYPE_CHECKING:
    from pathlib import Path

    from scorerkit.live.background import Scored

SOURCE = "live"


class StoreSink:
    """Keeps each result, with its trace and span in ``metadata``; ``scorerkit report`` and ``diff`` read them.

    Results are committed at least twice a second while there are any, and when the sink is closed, which also happens
    at the end of the process. Several threads may share one sink.

    Args:
        project: the root of the project whose store is used; None means the one around the working directory.

    Raises:
        StoreUnusableError: the store cannot be opened.
    """

    def __init__(self, project: Path | None = None) -> None:
        from scorerkit.store import ExperimentLog, Writer, open_database
        from scorerkit.store import experiments as kept

        settings = open_project(project)
        self.experiment_id = new_id()
        self._database = open_database(settings.store)
        facts: dict[str, Any] = {
            "tool": __version__,
            "git_commit": None,
            "data": {"source": SOURCE, "digest": None, "selection": {}},
            "scorers": [],
        }
        self._number = kept.begin(self._database, self.experiment_id, facts)
        self._held = contextlib.ExitStack()
        if hold := kept.hold(self._database, self._number):
            self._held.enter_context(hold)
        self._writer = Writer(self._database)
        self._log = ExperimentLog(self._writer, self._number)
        self._rows = RowMaker(self.experiment_id)
        self._tallies: dict[str, Tally] = {}
        self._position = 0
        self._began = time.monotonic()
        self._started = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        self._lock = threading.Lock()
        self._closed = False
        atexit.register(self.close)

    def __call__(self, scored: Scored) -> None:
        """Keep one result.

        Raises:
            StoreUnusableError: this or an earlier one could not be written.
        """
        result = scored.result
        ids = {"traceId": scored.trace_id, "spanId": scored.span_id}
        own = result.metadata if isinstance(result.metadata, dict) else {}
        result.metadata = {**own, **{key: value for key, value in ids.items() if value is not None}}
        with self._lock:
            number, tally = self._tally(scored)
            self._log.keep(self._position, number, result, self._rows.line(result))
            self._position += 1
            tally.add(result)

    def _tally(self, scored: Scored) -> tuple[int, Tally]:
        """The scorer's number, and its counts; a scorer that was not seen before is noted with the experiment."""
        from scorerkit.store import experiments as kept

        result = scored.result
        key = json.dumps([result.scorer, result.params, result.judge_digest])
        if key not in self._tallies:
            self._tallies[key] = Tally(scored.plan or Plan(str(result.scorer.get("id")), ()))
            kept.note_scorers(self._database, self._number, [card_of(each.plan) for each in self._tallies.values()])
        return list(self._tallies).index(key), self._tallies[key]

    def close(self) -> None:
        """Write what waits, and note the end.

        Raises:
            StoreUnusableError: not everything could be written.
        """
        from scorerkit.store import experiments as kept

        with self._lock:
            if self._closed:
                return
            self._closed = True
            atexit.unregister(self.close)
            try:
                self._writer.close()
                kept.end(self._database, self._number, kept.FINISHED, self._summary())
            finally:
                self._held.close()
                self._database.close()

    def _summary(self) -> dict[str, Any]:
        # Each scorer samples for itself: no record counts as not reached by another one.
        seen = min((tally.seen for tally in self._tallies.values()), default=0)
        wall = (time.monotonic() - self._began) * 1000
        tallies = tuple(self._tallies.values())
        experiment = Experiment(self.experiment_id, tallies, SOURCE, self._started, wall, seen, seen)
        return summarise(experiment, __version__)
