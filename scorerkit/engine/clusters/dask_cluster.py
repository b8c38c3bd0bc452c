"""Dask: a cluster of its own on this machine, or the one at an address."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any

from scorerkit.engine.clusters import WorkerLostError
from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from scorerkit.engine.clusters import Call, Cluster
    from scorerkit.engine.worker import Worker

QUEUED = 2
"""Shards on their way for every thread of the cluster: one that is scored, and the next."""
WAIT_SECONDS = 30
_HERE = threading.local()
"""On a worker, by thread: the task, and the worker built for it."""


def open_cluster(call: Call) -> Cluster:
    """As :func:`scorerkit.engine.clusters.open_cluster` says."""
    return Dask(call)


def score_there(task: bytes, shard: bytes) -> bytes:
    """What runs on a worker of the cluster, in one of its threads."""
    from scorerkit.engine.worker import answer

    known: tuple[bytes, Worker | None] = getattr(_HERE, "known", (b"", None))
    worker, reply = answer(known[1] if known[0] == task else None, task, shard)
    _HERE.known = task, worker
    return reply


class Dask:
    """Satisfies :class:`scorerkit.engine.clusters.Cluster`. Dask starts lost workers anew by itself."""

    def __init__(self, call: Call) -> None:
        self.width = (call.workers or 1) * QUEUED
        self._call = call
        self._cluster: Any = None
        self._client: Any = None
        self._task: Any = None

    async def start(self) -> None:
        import dask
        import distributed

        library: Any = distributed  # its classes are not typed
        # Which shard is given out again, and how often, is decided by the driver, the same for all clusters.
        dask.config.set({"distributed.scheduler.allowed-failures": 0})
        try:
            if self._call.address is None:
                self._cluster = await library.LocalCluster(
                    n_workers=self._call.workers, threads_per_worker=1, processes=True, asynchronous=True,
                    dashboard_address=None, silence_logs=50,
                )  # fmt: skip
            self._client = await library.Client(
                self._cluster or self._call.address, asynchronous=True, timeout=WAIT_SECONDS
            )
        except (OSError, RuntimeError, TimeoutError, ValueError) as error:
            message = f"no Dask cluster at {self._call.address or 'this machine'}: {error or 'it does not answer'}"
            raise ScorerkitError(message, fix="start a scheduler and workers there, or leave --address out") from error
        if self._call.address is not None:
            threads = sum((await self._client.nthreads()).values())
            if not threads:
                message = f"the Dask cluster at {self._call.address} has no workers"
                raise ScorerkitError(message, fix="start some: dask worker ADDRESS")
            self.width = threads * QUEUED
        self._task = await self._client.scatter(self._call.task, broadcast=False, hash=False)

    async def score(self, shard: bytes) -> bytes:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        try:
            reply: bytes = await self._client.submit(score_there, self._task, shard, pure=False)
        except (KilledWorker, FutureCancelledError):
            # What was scattered may have died with the worker.
            self._task = await self._client.scatter(self._call.task, broadcast=False, hash=False)
            raise WorkerLostError from None
        return reply

    async def close(self) -> None:
        for part in (self._client, self._cluster):
            if part is not None:
                with contextlib.suppress(Exception):  # what was scored is here already
                    await part.close()
