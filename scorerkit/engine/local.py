"""In this process: one event loop, several records at a time where something is waited for."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

from scorerkit.engine.lanes import side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.engine.job import Job, Results
    from scorerkit.engine.scoring import Scoring

LOOK_UP_EVERY = 0.05


class Source(Protocol):
    """Where jobs come from and results go."""

    def take(self) -> Job | None:
        """The next job; None when there is none."""
        ...

    def far(self, ahead: int) -> bool:
        """Whether the next job is more than ``ahead`` records in front of the first one that is not done."""
        ...

    async def near(self, ahead: int) -> None:
        """Return when it is no longer."""
        ...

    def done(self, job: Job, results: Results) -> None:
        """Take the results of a job."""
        ...

    def look_up(self) -> None:
        """Called a few times a second."""
        ...


class Local:
    """Scores in this process, ``width`` records at a time."""

    ahead = 8
    """How many records, times ``width``, may be in front of the slowest one."""

    def __init__(self, scoring: Scoring, width: int, stop: Callable[[str, str], None]) -> None:
        self.width = width
        self._scoring = scoring
        self._stop = stop

    async def run(self, source: Source) -> None:
        """Score everything there is; what is being scored when this is cancelled is given up."""
        await side_by_side(self._lane(source) for _ in range(self.width))

    async def _lane(self, source: Source) -> None:
        look_up = time.perf_counter() + LOOK_UP_EVERY
        scoring, ahead = self._scoring, self.width * self.ahead
        while True:
            if source.far(ahead):
                await source.near(ahead)
            job = source.take()
            if job is None:
                return
            results = await scoring.score(job)
            source.done(job, results)
            if scoring.stopped is not None:
                self._stop(*scoring.stopped)
            if time.perf_counter() > look_up:
                # A scorer that never waits would keep signals, timers and the display from being served.
                source.look_up()
                await asyncio.sleep(0)
                look_up = time.perf_counter() + LOOK_UP_EVERY
