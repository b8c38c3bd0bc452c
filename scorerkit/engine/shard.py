"""Records that are scored together by one worker, and what comes back of them."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorerkit.engine.job import Job
    from scorerkit.engine.scoring import Stop


@dataclass(slots=True)
class Shard:
    """Records on their way to a worker.

    Attributes:
        jobs: the records; their rows as read stay behind.
        again: whether a worker may have judged steps of them already.
        max_requests, budget: what may be sent and spent for them; None means no limit.
        losses: how often a worker died over them; known to the driver only.
        alone: whether nothing else is scored meanwhile, so that a death is of its own making; likewise.
    """

    jobs: list[Job]
    again: bool = False
    max_requests: int | None = None
    budget: float | None = None
    losses: int = 0
    alone: bool = False

    def packed(self) -> bytes:
        """For the wire."""
        bare = [job._replace(record=job.record._replace(raw=None)) for job in self.jobs]
        return pickle.dumps((bare, self.again, self.max_requests, self.budget), pickle.HIGHEST_PROTOCOL)

    @classmethod
    def unpacked(cls, data: bytes) -> Shard:
        """From the wire, on which nobody but our own processes write."""
        return cls(*pickle.loads(data))  # noqa: S301 - of our own processes


@dataclass(slots=True)
class Reply:
    """What a worker made of a shard.

    Attributes:
        lines: by record and scorer; None for what was not reached.
        seconds: how long it took.
        requests, spent: what was sent, and what it cost in USD.
        stop: why the worker did not go on, if so.
        warnings: what the user should know, each time it is so.
    """

    lines: list[list[bytes | None]] = field(default_factory=list)
    seconds: float = 0.0
    requests: int = 0
    spent: float = 0.0
    stop: Stop | None = None
    warnings: list[str] = field(default_factory=list)

    def packed(self) -> bytes:
        """For the wire."""
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)

    @classmethod
    def unpacked(cls, data: bytes) -> Reply:
        """From the wire; an error that a worker sent instead is raised."""
        reply = pickle.loads(data)  # noqa: S301 - of our own processes
        if isinstance(reply, BaseException):
            raise reply
        assert isinstance(reply, cls)
        return reply
