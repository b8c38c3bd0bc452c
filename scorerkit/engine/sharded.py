"""The driver's side of every cluster: cuts shards, gives lost ones out again, takes replies in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.engine.clusters import WorkerLostError
from scorerkit.engine.job import Scored
from scorerkit.engine.lanes import side_by_side
from scorerkit.engine.shard import Reply, Shard
from scorerkit.errors import RecordError
from scorerkit.pipeline import failed_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.engine.clusters import Cluster
    from scorerkit.engine.job import Job
    from scorerkit.engine.local import Source
    from scorerkit.judge.limits import Limits
    from scorerkit.model.plan import Plan
    from scorerkit.results.row import RowMaker

MOST = 1000
"""Records in a shard."""
FIRST = 16
SECONDS = 0.1
"""How long a worker should be busy with a shard: long beside its way, short beside what a lost worker costs."""
LOSSES = 2
"""After so many lost workers a shard is given out record by record, each alone: the one that kills its worker fails."""


class Frame(NamedTuple):
    """What the driver needs beside a cluster: the scorers, how lines are made, where it says things."""

    plans: tuple[Plan, ...]
    rows: RowMaker
    stop: Callable[[str, str], None]
    warn: Callable[[str], None]
    limits: Limits | None = None
    least: int = 1


class Sharded:
    """Satisfies :class:`scorerkit.engine.Engine` by way of a cluster.

    ``frame.least`` is the least number of records in a shard: enough that a worker that waits for answers has its hands
    full.
    """

    def __init__(self, cluster: Cluster, frame: Frame) -> None:
        self.width = cluster.width
        self._cluster = cluster
        self._frame = frame
        self._size = max(FIRST, frame.least)
        self._again: list[Shard] = []
        self._suspects: list[Shard] = []
        self._alone = False
        self._out = 0
        self._back = asyncio.Event()
        self._over = False
        self._warned: set[str] = set()

    async def run(self, source: Source) -> None:
        """Score everything there is; what is on its way when this is cancelled is given up."""
        try:
            await self._cluster.start()
            self.width = self._cluster.width
            await side_by_side(self._lane(source) for _ in range(self.width))
        finally:
            await self._cluster.close()

    async def _lane(self, source: Source) -> None:
        while (shard := await self._next(source)) is not None:
            try:
                await self._through(shard, source)
            finally:
                self._out -= 1
                self._alone = False
                self._back.set()
            source.look_up()

    async def _through(self, shard: Shard, source: Source) -> None:
        """One shard to a worker and back."""
        limits = self._frame.limits
        try:
            reply = Reply.unpacked(await self._cluster.score(shard.packed()))
        except WorkerLostError:
            self._lost(shard, source)
            return
        finally:
            if limits is not None:  # what was lent comes back; what was used is taken off below
                limits.requests -= shard.max_requests or 0
                limits.spent -= shard.budget or 0.0
        if limits is not None:
            limits.requests += reply.requests
            limits.spent += reply.spent
        for warning in reply.warnings:
            if warning not in self._warned:
                self._warned.add(warning)
                self._frame.warn(warning)
        self._take_in(shard, reply, source)

    def _take_in(self, shard: Shard, reply: Reply, source: Source) -> None:
        unreached = []
        for job, lines in zip(shard.jobs, reply.lines, strict=True):
            if not lines or None in lines:
                unreached.append(job)
                if reply.stop is None or reply.stop.code == "budget":
                    continue
            if lines:
                source.done(job, [None if line is None else Scored.read(line) for line in lines])
        if reply.stop is not None and reply.stop.code != "budget":
            self._frame.stop(*reply.stop)
            self._again.clear()  # nobody answers those either
            self._suspects.clear()
        elif unreached:
            self._again.append(Shard(unreached, again=True))
        if reached := len(shard.jobs) - len(unreached):
            fitting = round(SECONDS / max(reply.seconds / reached, 1e-6))
            self._size = max(self._frame.least, min(fitting, 2 * self._size, MOST), 1)

    def _lost(self, shard: Shard, source: Source) -> None:
        losses = shard.losses + 1
        if losses < LOSSES:
            self._again.append(Shard(shard.jobs, again=True, losses=losses))
        elif not shard.alone:
            self._suspects += [Shard([job], again=True, losses=losses, alone=True) for job in shard.jobs]
        else:
            source.done(shard.jobs[0], [self._dead(plan, shard.jobs[0]) for plan in self._frame.plans])

    def _dead(self, plan: Plan, job: Job) -> Scored:
        message = "the worker died each time it scored this record"
        error = RecordError("worker-lost", message, fix="look for what ends the process: memory, os._exit, a crash")
        result = failed_record(plan, error, job.record.run)
        return Scored(result, self._frame.rows.line(result))

    async def _next(self, source: Source) -> Shard | None:
        """The next shard, lost ones first; None when there is none and none can come back."""
        while True:
            shard = self._cut(source)
            if shard is not None and self._lend(shard):
                self._out += 1
                self._alone = shard.alone
                return shard
            if not (self._out or self._again or self._suspects) and self._over:
                return None
            # Another shard that is on its way may be lost, or give back what it was lent.
            self._back.clear()
            await self._back.wait()

    def _cut(self, source: Source) -> Shard | None:
        """The next records together; None when there are none, or they are too far in front of others."""
        if self._alone or (self._suspects and self._out):
            return None
        if self._suspects:
            return self._suspects.pop(0)
        if self._again:
            return self._again.pop(0)
        jobs: list[Job] = []
        while len(jobs) < self._size and not self._over and not (self._out and source.far(self.width * MOST)):
            job = source.take()
            if job is None:
                self._over = True
                break
            if job.kept is not None and None not in job.kept:
                source.done(job, job.kept)
                continue
            jobs.append(job)
        return Shard(jobs) if jobs else None

    def _lend(self, shard: Shard) -> bool:
        """Give a shard its part of what may be sent and spent; False if there is nothing left for now or for good."""
        limits = self._frame.limits
        if limits is None:
            return True
        if limits.used_up is not None:
            self._again.insert(0, shard)
            if not self._out:
                self._frame.stop("budget", limits.used_up)
                self._again.clear()
                self._suspects.clear()
                self._over = True
            return False
        if limits.max_requests is not None:
            shard.max_requests = max(1, (limits.max_requests - limits.requests) // self.width)
            limits.requests += shard.max_requests
        if limits.budget is not None:
            shard.budget = (limits.budget - limits.spent) / self.width
            limits.spent += shard.budget
        return True
