"""Ray: actors on this machine, or on the cluster at an address."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from typing import TYPE_CHECKING, Any

from scorerkit.engine.clusters import WorkerLostError
from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from scorerkit.engine.clusters import Call, Cluster
    from scorerkit.engine.worker import Worker

QUEUED = 2
"""Shards that an actor has at a time: one that it scores, and the next."""
CPUS = 0.25
"""What an actor asks for: workers mostly wait, and as many as were wanted must fit."""


def open_cluster(call: Call) -> Cluster:
    """As :func:`scorerkit.engine.clusters.open_cluster` says."""
    return Ray(call)


class Scorer:
    """What runs on a worker of the cluster."""

    def __init__(self, task: bytes) -> None:
        self._task = task
        self._worker: Worker | None = None

    def score(self, shard: bytes) -> bytes:
        """The reply to a shard."""
        from scorerkit.engine.worker import answer

        self._worker, reply = answer(self._worker, self._task, shard)
        return reply


class Ray:
    """Satisfies :class:`scorerkit.engine.clusters.Cluster`.

    A lost actor is replaced: one that Ray starts anew refuses, while it starts, what is meant for it, and a record
    would be blamed for the death of the actor before it.
    """

    def __init__(self, call: Call) -> None:
        self._call = call
        self._count = call.workers or 2
        self._made: Any = None
        self._actors: list[Any] = []
        self._busy: list[int] = []
        self.width = self._count * QUEUED

    async def start(self) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        import ray

        here: dict[str, Any] = {} if self._call.address else {"num_cpus": self._count, "include_dashboard": False}
        paths = os.pathsep.join(entry or os.getcwd() for entry in sys.path)  # noqa: PTH109 - what the interpreter means
        try:
            ray.init(
                address=self._call.address or "local", logging_level=logging.ERROR, log_to_driver=False,
                configure_logging=False, runtime_env={"env_vars": {"PYTHONPATH": paths}}, **here,
            )  # fmt: skip
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            message = f"no Ray cluster at {self._call.address or 'this machine'}: {error}"
            raise ScorerkitError(message, fix="start one there, or leave --address out") from error
        self._made = ray.remote(num_cpus=CPUS, max_restarts=0, max_task_retries=0)(Scorer)
        self._actors = [self._made.remote(self._call.task) for _ in range(self._count)]
        self._busy = [0] * self._count

    async def score(self, shard: bytes) -> bytes:
        from ray.exceptions import RayActorError

        index = self._busy.index(min(self._busy))
        self._busy[index] += 1
        actor = self._actors[index]
        try:
            reply: bytes = await actor.score.remote(shard)
        except RayActorError:
            if self._actors[index] is actor:
                self._replace(index)
            raise WorkerLostError from None
        finally:
            self._busy[index] -= 1
        return reply

    def _replace(self, index: int) -> None:
        import ray

        with contextlib.suppress(Exception):  # it may live, out of reach
            ray.kill(self._actors[index])
        self._actors[index] = self._made.remote(self._call.task)

    async def close(self) -> None:
        import ray

        with contextlib.suppress(Exception):  # what was scored is here already
            ray.shutdown()
