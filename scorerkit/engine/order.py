"""Results in the order of the data, whatever was finished first."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.engine.job import Job, Results


class Order:
    """Hands results over in the order of the data, and holds those back who run too far ahead."""

    def __init__(self, out: Callable[[Job, Results], None]) -> None:
        self._out = out
        self._waiting: dict[int, tuple[Job, Results]] = {}
        self._next = 0
        self._moved = asyncio.Event()

    def add(self, job: Job, results: Results) -> None:
        if job.place != self._next:
            self._waiting[job.place] = job, results
            return
        self._out(job, results)
        self._next += 1
        while self._waiting and self._next in self._waiting:
            self._out(*self._waiting.pop(self._next))
            self._next += 1
        self._moved.set()

    def far(self, place: int, ahead: int) -> bool:
        """Whether ``place`` is more than ``ahead`` records in front."""
        return place - self._next > ahead

    async def moved(self) -> None:
        """Until something was handed over."""
        self._moved.clear()
        await self._moved.wait()

    def flush(self) -> None:
        """Hand over what was finished behind a gap: nothing scored is lost when an experiment is stopped."""
        for index in sorted(self._waiting):
            self._out(*self._waiting.pop(index))
