"""Scorers × records: order, stopping, taking up again. Nothing is kept here but counts; results leave as they come."""

from __future__ import annotations

import asyncio
import datetime as dt
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from scorerkit.engine.job import Job, Scored
from scorerkit.engine.local import Local
from scorerkit.engine.order import Order
from scorerkit.engine.scoring import Scoring
from scorerkit.report.summary import Experiment
from scorerkit.report.tally import Tally
from scorerkit.results.row import RowMaker

if TYPE_CHECKING:
    from scorerkit.dataset import AnyDataset
    from scorerkit.dataset.given import GivenRecords
    from scorerkit.engine import Engine
    from scorerkit.engine.job import Results
    from scorerkit.model.judge import Answer, Judge
    from scorerkit.model.plan import Plan
    from scorerkit.model.result import ScorerResult
    from scorerkit.model.run import ScorerRun

Emit = Callable[[Scored, "ScorerRun | None"], None]
DEFAULT_CONCURRENCY = 16
MAX_FAILURES_KEPT = 100


@dataclass(frozen=True, slots=True)
class Options:
    """How an experiment is carried out.

    Attributes:
        concurrency: records at a time; None means 16 where something is waited for, else 1.
        ordered: results leave in the order of the data.
        timeout: seconds for the whole experiment.
    """

    concurrency: int | None = None
    ordered: bool = True
    timeout: float | None = None
    fail_fast: bool = False


class KeptRow(Protocol):
    """A result of an earlier execution."""

    @property
    def position(self) -> int: ...
    @property
    def scorer(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def row(self) -> str: ...


class Log(Protocol):
    """What an experiment keeps. A store satisfies this protocol."""

    resumed: bool

    def keep(self, position: int, scorer: int, result: ScorerResult, line: bytes, /) -> None:
        """Keep a result."""
        ...

    def rows(self) -> Iterator[KeptRow]:
        """What was kept before, in the order of the data."""
        ...

    async def answered(self, position: int, scorer: int, step: str, sample: int, answer: Answer, /) -> None:
        """Keep a judged step."""
        ...

    async def steps(self, position: int, scorer: int, /) -> dict[tuple[str, int], Answer]:
        """The judged steps of a record that has no result yet."""
        ...


def new_id() -> str:
    """An id that sorts by time: ``20261201-093015-a1b2c3``."""
    return f"{dt.datetime.now(dt.UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


class Runner:
    """One execution. ``emit`` gets every result in order; ``progress`` is called a few times a second.

    Args:
        log: where results are kept, and what an earlier execution left; None where nothing is kept.
        engine: makes the engine that scores; None means this process.
    """

    def __init__(
        self,
        plans: tuple[Plan, ...],
        dataset: AnyDataset | GivenRecords,
        judges: tuple[Judge | None, ...],
        emit: Emit,
        options: Options,
        progress: Callable[[Runner], None] | None = None,
        experiment_id: str | None = None,
        log: Log | None = None,
        engine: Callable[[Runner], Engine] | None = None,
    ) -> None:
        self.plans = plans
        self.tallies = tuple(Tally(plan) for plan in plans)
        self.dataset = dataset
        self.id = experiment_id or new_id()
        self.stopped: str | None = None
        self.stop_code: str | None = None
        self.read = 0
        self.failures: list[tuple[str, dict[str, object]]] = []
        self._emit = emit
        self._options = options
        self._progress = progress
        self._log = log
        self._started = time.perf_counter()
        self._started_at = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        self._order = Order(self._out)
        self._jobs: Iterator[Job] = iter(())
        self._engine = engine(self) if engine is not None else self._local(judges)

    def _local(self, judges: tuple[Judge | None, ...]) -> Engine:
        scoring = Scoring(self.plans, judges, RowMaker(self.id), self._log)
        width = self._options.concurrency or (DEFAULT_CONCURRENCY if scoring.waits else 1)
        return Local(scoring, width, self.stop)

    async def run(self) -> Experiment:
        """Score everything; comes back also when it was stopped early, saying why."""
        self._jobs = self._selected()
        try:
            async with asyncio.timeout(self._options.timeout) as clock:
                await self._engine.run(self)
        except TimeoutError:
            if not clock.expired():
                raise
            self.stop("time", f"the time of {self._options.timeout:g} s was used up")
        finally:
            self._order.flush()
        return self.experiment()

    def _selected(self) -> Iterator[Job]:
        kept = _Kept(self._log.rows(), len(self.plans)) if self._log is not None and self._log.resumed else None
        for place, record in enumerate(self.dataset):
            position = place if record.position is None else record.position
            yield Job(place, position, record, kept.of(position) if kept is not None else None)

    # -- the source of the engine --------------------------------------------------------------------------------

    def far(self, ahead: int) -> bool:
        """Whether the next job is more than ``ahead`` records in front of the first one that is not done."""
        return self._options.ordered and self._order.far(self.read, ahead)

    async def near(self, ahead: int) -> None:
        """Return when it is no longer."""
        while self.far(ahead):
            await self._order.moved()

    def take(self) -> Job | None:
        """The next job; None when there is none."""
        if self.stopped is not None:
            return None
        job = next(self._jobs, None)
        if job is not None:
            self.read += 1
        return job

    def done(self, job: Job, results: Results) -> None:
        """Keep the results of a job, and let them go when it is their turn."""
        if self._log is not None:
            for number, scored in enumerate(results):
                if scored is not None and (job.kept is None or job.kept[number] is None):
                    self._log.keep(job.position, number, scored.result, scored.line)
        if self._options.ordered:
            self._order.add(job, results)
        else:
            self._out(job, results)

    def look_up(self) -> None:
        """Called a few times a second."""
        if self._progress is not None:
            self._progress(self)

    def _out(self, job: Job, results: Results) -> None:
        run = job.record.run
        for tally, scored in zip(self.tallies, results, strict=True):
            if scored is None:
                continue
            tally.add(scored.result)
            if scored.result.status == "failed":
                self._failed(scored.result)
            self._emit(scored, run)

    def _failed(self, result: ScorerResult) -> None:
        if len(self.failures) < MAX_FAILURES_KEPT:
            self.failures.append((result.run_id or "?", {**(result.error or {}), "step": result.failed_step}))
        if self._options.fail_fast:
            self.stop("fail-fast", "stopped at the first failed record (--fail-fast)")

    # -- how far it is -------------------------------------------------------------------------------------------

    def is_stopped(self) -> bool:
        """Whether it ends early."""
        return self.stopped is not None

    def stop(self, code: str, why: str) -> None:
        """End early; the first reason stays."""
        if self.stopped is None:
            self.stop_code, self.stopped = code, why

    def experiment(self) -> Experiment:
        """The experiment as far as it came."""
        return Experiment(
            id=self.id,
            tallies=self.tallies,
            data=self.dataset.shown,
            started=self._started_at,
            wall_ms=(time.perf_counter() - self._started) * 1000,
            total=self.dataset.total,
            read=self.read,
            stopped=self.stopped,
            stop_code=self.stop_code,
            replaced_surrogates=self.dataset.surrogates,
            failures=tuple(self.failures),
        )


class _Kept:
    """What an earlier execution kept, walked through beside the data. Failed records are scored again."""

    def __init__(self, rows: Iterator[KeptRow], scorers: int) -> None:
        self._rows = rows
        self._scorers = scorers
        self._ahead = next(rows, None)

    def of(self, position: int) -> Results | None:
        """The results of the record at ``position``; positions are asked for in order. None if there are none."""
        found: Results | None = None
        while self._ahead is not None and self._ahead.position <= position:
            row, self._ahead = self._ahead, next(self._rows, None)
            if row.position == position and row.status != "failed" and row.scorer < self._scorers:
                found = found or [None] * self._scorers
                found[row.scorer] = Scored.read(row.row.encode())
        return found
