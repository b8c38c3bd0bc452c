"""Scorers × records: order, concurrency, stopping. Nothing is kept but counts; results leave as they come."""

from __future__ import annotations

import asyncio
import datetime as dt
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorerkit.model.judge import USED_UP
from scorerkit.pipeline import FatalJudge, failed_record, score_run
from scorerkit.report.summary import Experiment
from scorerkit.report.tally import Tally

if TYPE_CHECKING:
    from scorerkit.dataset import AnyDataset, Record
    from scorerkit.dataset.given import GivenRecords
    from scorerkit.model.judge import Judge
    from scorerkit.model.plan import Plan
    from scorerkit.model.result import ScorerResult
    from scorerkit.model.run import ScorerRun

Emit = Callable[["ScorerResult", "ScorerRun | None"], None]
DEFAULT_CONCURRENCY = 16
LOOK_UP_EVERY = 0.05
AHEAD = 8
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


def new_id() -> str:
    """An id that sorts by time: ``20261201-093015-a1b2c3``."""
    return f"{dt.datetime.now(dt.UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


class Runner:
    """One execution. ``emit`` gets every result in order; ``progress`` is called a few times a second."""

    def __init__(
        self,
        plans: tuple[Plan, ...],
        dataset: AnyDataset | GivenRecords,
        judges: tuple[Judge | None, ...],
        emit: Emit,
        options: Options,
        progress: Callable[[Runner], None] | None = None,
        experiment_id: str | None = None,
    ) -> None:
        self.plans = plans
        self.tallies = tuple(Tally(plan) for plan in plans)
        self.dataset = dataset
        self.id = experiment_id or new_id()
        self.stopped: str | None = None
        self.stop_code: str | None = None
        self.read = 0
        self.failures: list[tuple[str, dict[str, object]]] = []
        self._judges = judges
        self._emit = emit
        self._options = options
        self._progress = progress
        self._started = time.perf_counter()
        self._started_at = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        self._order = _Order(self._out)
        self._records: Iterator[Record] = iter(())

    async def run(self) -> Experiment:
        """Score everything; comes back also when it was stopped early, saying why."""
        self._records = iter(self.dataset)
        workers = self._options.concurrency or (DEFAULT_CONCURRENCY if self._waits() else 1)
        tasks = [asyncio.create_task(self._work(workers)) for _ in range(workers)]
        try:
            async with asyncio.timeout(self._options.timeout) as clock:
                await _all(tasks)
        except TimeoutError:
            if not clock.expired():
                raise
            self.stop("time", f"the time of {self._options.timeout:g} s was used up")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._order.flush()
        return self.experiment()

    def _waits(self) -> bool:
        """Whether any step waits for something, so that several records at a time pay."""
        return any(planned.step.waits for plan in self.plans for planned in plan.steps)

    async def _work(self, workers: int) -> None:
        """One worker: takes the next record, scores it with every scorer, hands the results over."""
        look_up = time.perf_counter() + LOOK_UP_EVERY
        while not self.is_stopped():
            if workers > 1 and self._options.ordered:
                await self._order.wait(self.read, workers * AHEAD)
            if self.is_stopped():
                return
            record = next(self._records, None)
            if record is None:
                return
            index = self.read
            self.read += 1
            results = [
                await self._score(plan, record, judge) for plan, judge in zip(self.plans, self._judges, strict=True)
            ]
            if self._options.ordered:
                self._order.add(index, results, record.run)
            else:
                self._out(results, record.run)
            if time.perf_counter() > look_up:
                # A scorer that never waits would keep signals, timers and the display from being served.
                if self._progress is not None:
                    self._progress(self)
                await asyncio.sleep(0)
                look_up = time.perf_counter() + LOOK_UP_EVERY

    async def _score(self, plan: Plan, record: Record, judge: Judge | None) -> ScorerResult | None:
        """The result; None for a record that counts as not reached."""
        if record.error is not None:
            return failed_record(plan, record.error, record.run)
        try:
            return await score_run(plan, record.run, judge)  # type: ignore[arg-type]
        except FatalJudge as fatal:
            if fatal.error.code == USED_UP:
                self.stop("budget", fatal.error.message)
                return None
            self.stop("judge-refused", fatal.error.message)
            return fatal.result

    def _out(self, results: list[ScorerResult | None], run: ScorerRun | None) -> None:
        for tally, result in zip(self.tallies, results, strict=True):
            if result is None:
                continue
            tally.add(result)
            if result.status == "failed":
                self._failed(result)
            self._emit(result, run)

    def _failed(self, result: ScorerResult) -> None:
        if len(self.failures) < MAX_FAILURES_KEPT:
            self.failures.append((result.run_id or "?", {**(result.error or {}), "step": result.failed_step}))
        if self._options.fail_fast:
            self.stop("fail-fast", "stopped at the first failed record (--fail-fast)")

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


async def _all(tasks: list[asyncio.Task[None]]) -> None:
    """Wait for all; the first one that raises ends the wait."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    for task in done:
        task.result()


class _Order:
    """Hands results over in the order of the data, and holds workers back that run too far ahead."""

    def __init__(self, out: Callable[[list[ScorerResult | None], ScorerRun | None], None]) -> None:
        self._out = out
        self._waiting: dict[int, tuple[list[ScorerResult | None], ScorerRun | None]] = {}
        self._next = 0
        self._moved = asyncio.Event()

    def add(self, index: int, results: list[ScorerResult | None], run: ScorerRun | None) -> None:
        if index != self._next:
            self._waiting[index] = results, run
            return
        self._out(results, run)
        self._next += 1
        while self._waiting and self._next in self._waiting:
            self._out(*self._waiting.pop(self._next))
            self._next += 1
        self._moved.set()

    async def wait(self, index: int, ahead: int) -> None:
        """Until ``index`` is no more than ``ahead`` records in front."""
        while index - self._next > ahead:
            self._moved.clear()
            await self._moved.wait()

    def flush(self) -> None:
        """Hand over what was finished behind a gap: nothing scored is lost when an experiment is stopped."""
        for index in sorted(self._waiting):
            self._out(*self._waiting.pop(index))
