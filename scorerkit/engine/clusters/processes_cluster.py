"""Processes of this machine: each reads shards from a pipe and writes replies to another."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import TYPE_CHECKING

from scorerkit.engine.clusters import WorkerLostError
from scorerkit.engine.process import FRAME

if TYPE_CHECKING:
    from scorerkit.engine.clusters import Call, Cluster

QUEUED = 2
"""Shards that a worker has at a time: one that it scores, and the next."""


def open_cluster(call: Call) -> Cluster:
    """As :func:`scorerkit.engine.clusters.open_cluster` says."""
    return Processes(call.task, call.workers or 1)


class Processes:
    """Workers are started as they are needed, and again when one has died."""

    def __init__(self, task: bytes, workers: int) -> None:
        self.width = workers * QUEUED
        self._workers = [_Process(task) for _ in range(workers)]

    async def start(self) -> None:
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def score(self, shard: bytes) -> bytes:
        return await min(self._workers, key=lambda worker: worker.busy).score(shard)

    async def close(self) -> None:
        await asyncio.gather(*(worker.close() for worker in self._workers))


class _Process:
    """One worker. Replies come in the order of the shards."""

    def __init__(self, task: bytes) -> None:
        self.busy = 0
        self._task = task
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: list[asyncio.Future[bytes]] = []
        self._reader: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)  # noqa: PTH109 - what the interpreter means
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "scorerkit.engine.process",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
        self._reader = asyncio.create_task(self._read(self._process))
        await self._send(self._process, self._task)

    async def score(self, shard: bytes) -> bytes:
        self.busy += 1
        try:
            async with self._starting:
                if self._process is None:
                    await self.start()
                process = self._process
            assert process is not None
            reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
            self._waiting.append(reply)
            await self._send(process, shard)
            return await reply
        finally:
            self.busy -= 1

    async def _send(self, process: asyncio.subprocess.Process, data: bytes) -> None:
        assert process.stdin is not None
        # A broken pipe is seen by the reader, which fails everything that waits.
        with contextlib.suppress(ConnectionError):
            process.stdin.write(FRAME.pack(len(data)) + data)
            await process.stdin.drain()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while True:
                (size,) = FRAME.unpack(await process.stdout.readexactly(FRAME.size))
                data = await process.stdout.readexactly(size)
                reply = self._waiting.pop(0)
                if not reply.done():
                    reply.set_result(data)
        except (asyncio.IncompleteReadError, ConnectionError):
            await process.wait()
            self._process = None
            lost, self._waiting = self._waiting, []
            for reply in lost:
                if not reply.done():
                    reply.set_exception(WorkerLostError())

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        if self._reader is not None:
            await self._reader
