"""The background in which scoring happens: one thread, a bounded queue, counters, an end within a limit."""

from __future__ import annotations

import asyncio
import atexit
import datetime as dt
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from scorerkit.pipeline import FatalJudge, score_run

if TYPE_CHECKING:
    from scorerkit.model.plan import Plan
    from scorerkit.model.result import ScorerResult
    from scorerkit.model.run import ScorerRun
    from scorerkit.scorer import Scorer

MAX_WAITING = 1000
CONCURRENCY = 4
FLUSH_SECONDS = 10.0


class Scored(NamedTuple):
    """What a sink gets: the result, whose it is, and the scorer that made it."""

    result: ScorerResult
    trace_id: str | None = None
    span_id: str | None = None
    plan: Plan | None = None


Sink = Callable[[Scored], Any]


@dataclass(slots=True)
class Health:
    """Counters of one scorer since it was registered.

    Attributes:
        triggered: runs that were offered.
        sampled: those that filter and sampling took.
        saved: results that the sink took.
        failed: records that failed, and results that the sink refused.
        dropped: runs that found the queue full, or were still waiting at the end.
    """

    triggered: int = 0
    sampled: int = 0
    saved: int = 0
    failed: int = 0
    dropped: int = 0
    last_error: str | None = None
    last_error_at: str | None = None
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def error(self, message: str) -> None:
        """Note a failure."""
        with self.lock:
            self.failed += 1
            self.last_error = message
            self.last_error_at = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


class Job(NamedTuple):
    """A run to score; ``make`` gives it, so that the application does not wait for its conversion."""

    scorer: Scorer
    health: Health
    make: Callable[[], ScorerRun | None]
    sink: Sink
    trace_id: str | None = None
    span_id: str | None = None


class Background:
    """Scores what is offered, after the answer. Never raises into the application and never makes it wait."""

    def __init__(self, *, max_waiting: int = MAX_WAITING, concurrency: int = CONCURRENCY) -> None:
        self._max_waiting = max_waiting
        self._concurrency = concurrency
        self._waiting: deque[Job] = deque()
        self._busy = 0
        self._idle = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._ending = False
        self._judges: dict[int, Any] = {}
        atexit.register(self.shutdown)

    @property
    def full(self) -> bool:
        """Whether there is no room for another run."""
        return self._ending or len(self._waiting) >= self._max_waiting

    def offer(self, job: Job) -> bool:
        """Queue a run; False when there is no room: it is counted as dropped."""
        if self.full:
            job.health.dropped += 1
            return False
        self._waiting.append(job)
        if self._thread is None:
            self._start()
        elif self._idle:
            self._nudge()
        return True

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="scorerkit-live", daemon=True)
                self._thread.start()

    def _nudge(self) -> None:
        loop, wake = self._loop, self._wake
        if loop is not None and wake is not None and not loop.is_closed():
            self._idle = False
            loop.call_soon_threadsafe(wake.set)

    def _run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        workers = [asyncio.create_task(self._work()) for _ in range(self._concurrency)]
        await asyncio.gather(*workers, return_exceptions=True)
        for judge in self._judges.values():
            await judge.close()

    async def _work(self) -> None:
        wake = self._wake
        while wake is not None:
            try:
                job = self._waiting.popleft()
            except IndexError:
                if self._ending:
                    return
                wake.clear()
                self._idle = True
                if not self._waiting:  # offered between the look and the sleep
                    await wake.wait()
                self._idle = False
                continue
            self._busy += 1
            try:
                await self._score(job)
            finally:
                self._busy -= 1

    async def _score(self, job: Job) -> None:
        """Score and hand over; whatever goes wrong is a counter."""
        try:
            run = job.make()
            if run is None:
                return
            try:
                result = await score_run(job.scorer.plan, run, job.scorer.judge or self._judge(job.scorer))
            except FatalJudge as fatal:
                result = fatal.result
            if result.status == "failed":
                job.health.error(str((result.error or {}).get("message")))
            job.sink(Scored(result, job.trace_id, job.span_id, job.scorer.plan))
            job.health.saved += 1
        except Exception as error:
            job.health.error(f"{type(error).__name__}: {error}")

    def _judge(self, scorer: Scorer) -> Any:
        """The judge of a scorer that brings none; opened in this thread, closed at its end."""
        if not scorer.plan.judged:
            return None
        if id(scorer.plan) not in self._judges:
            from scorerkit.judge import open_judge

            self._judges[id(scorer.plan)] = open_judge()
        return self._judges[id(scorer.plan)]

    def flush(self, seconds: float = FLUSH_SECONDS) -> bool:
        """Wait until everything offered is scored; False when the time ran out first."""
        end = time.monotonic() + seconds
        while self._waiting or self._busy:
            if time.monotonic() > end:
                return False
            self._nudge()
            time.sleep(0.002)
        return True

    def shutdown(self, seconds: float = FLUSH_SECONDS) -> bool:
        """Score what waits, within a limit, and end the thread; what is left is dropped and counted."""
        done = self.flush(seconds)
        self._ending = True
        while self._waiting:
            self._waiting.popleft().health.dropped += 1
        loop, wake = self._loop, self._wake
        if loop is not None and wake is not None and not loop.is_closed():
            loop.call_soon_threadsafe(wake.set)
        if self._thread is not None and done:
            self._thread.join(max(seconds, 1.0))
        atexit.unregister(self.shutdown)
        return done
