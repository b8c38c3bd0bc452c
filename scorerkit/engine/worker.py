"""The worker's side of every engine: scores shards, one after the other, with an event loop of its own."""

from __future__ import annotations

import asyncio
import pickle
import time
import traceback
from typing import TYPE_CHECKING, Any

from scorerkit.build.plan import build_plan
from scorerkit.engine.collecting import collecting_rarely
from scorerkit.engine.local import Local
from scorerkit.engine.scoring import Scoring
from scorerkit.engine.shard import Reply, Shard
from scorerkit.errors import Inconclusive, ScorerkitError
from scorerkit.results.row import RowMaker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.engine.job import Job, Results
    from scorerkit.engine.task import Task
    from scorerkit.model.judge import Judge
    from scorerkit.store import ExperimentLog, Writer

DEFAULT_CONCURRENCY = 16


class Worker:
    """Built once per process (or thread) from a task.

    Raises:
        ScorerkitError: the scorers cannot be built here, or are others here.
    """

    def __init__(self, task: Task) -> None:
        from scorerkit.judge.limits import Limits

        self._task = task
        self._warnings: list[str] = []
        self._limits = Limits()
        self.plans = tuple(build_plan(definition, task.settings) for definition in task.definitions)
        for plan, digest in zip(self.plans, task.digests, strict=True):
            if plan.digest != digest:
                message = f"the scorer '{plan.id}' is another one on a worker: its functions differ there"
                raise ScorerkitError(message, fix="bring the worker's copy of the project up to date")
        self._writer = self._opened()
        judge = self._judge()
        self._judges: tuple[Judge | None, ...] = tuple(judge if plan.judged else None for plan in self.plans)
        self._rows = RowMaker(task.experiment_id)
        self._loop = asyncio.new_event_loop()

    def _opened(self) -> Writer | None:
        """The store, for the judge's answers; results are written by the driver alone."""
        task = self._task
        if task.store is None or task.number is None:
            return None
        from scorerkit.store import Writer, open_database

        try:
            return Writer(open_database(task.store))
        except Inconclusive as error:
            self._warnings.append(f"a worker keeps no answers: {error.message}")
            return None

    def _judge(self) -> Judge | None:
        task = self._task
        if not any(plan.judged for plan in self.plans):
            return None
        from scorerkit.judge import open_judge
        from scorerkit.store import AnswerCache

        cache = None
        if self._writer is not None and task.cached:
            cache = AnswerCache(self._writer, refresh=task.refresh, deferred=True)
        return open_judge(
            replay=list(task.replay) or None,
            replay_missing=task.replay_missing,  # type: ignore[arg-type]
            cache=cache,
            limits=self._limits if task.limited else None,
        )

    def score(self, data: bytes) -> bytes:
        """The reply to a shard, both as on the wire; what goes wrong is on it too."""
        try:
            with collecting_rarely():
                reply = self._loop.run_until_complete(self._score(Shard.unpacked(data)))
        except ScorerkitError as error:
            return _packed_error(error)
        except Exception:
            return _packed_error(RuntimeError(f"a worker failed:\n{traceback.format_exc()}"))
        return reply.packed()

    async def _score(self, shard: Shard) -> Reply:
        started = time.perf_counter()
        self._limits.max_requests, self._limits.budget = shard.max_requests, shard.budget
        self._limits.requests, self._limits.spent = 0, 0.0
        scoring = Scoring(self.plans, self._judges, self._rows, self._steps(shard))
        gathered = _Gathered(shard.jobs)
        await Local(scoring, self._width(scoring, len(shard.jobs)), gathered.stop).run(gathered)
        if self._writer is not None:
            self._writer.flush()
        warnings, self._warnings = self._warnings, []
        seconds = time.perf_counter() - started
        return Reply(gathered.lines, seconds, self._limits.requests, self._limits.spent, scoring.stopped, warnings)

    def _steps(self, shard: Shard) -> ExperimentLog | None:
        if self._writer is None:
            return None
        from scorerkit.store import ExperimentLog

        assert self._task.number is not None
        return ExperimentLog(self._writer, self._task.number, resumed=self._task.resumed or shard.again)

    def _width(self, scoring: Scoring, jobs: int) -> int:
        """This worker's part of the records at a time."""
        wanted = self._task.concurrency or (DEFAULT_CONCURRENCY if scoring.waits else 1)
        return min(max(1, wanted // self._task.workers), jobs)


class _Gathered:
    """A shard as a source of jobs, and the place where its results are gathered."""

    def __init__(self, jobs: list[Job]) -> None:
        self._left: Iterator[tuple[int, Job]] = iter(enumerate(jobs))
        self._index = {job.place: index for index, job in enumerate(jobs)}
        self.lines: list[list[bytes | None]] = [[] for _ in jobs]
        self._stopped = False

    def far(self, _ahead: int) -> bool:
        return False

    async def near(self, _ahead: int) -> None:
        """Never far."""

    def take(self) -> Job | None:
        if self._stopped:
            return None
        _, job = next(self._left, (0, None))
        return job

    def done(self, job: Job, results: Results) -> None:
        self.lines[self._index[job.place]] = [None if scored is None else scored.line for scored in results]

    def stop(self, _code: str, _why: str) -> None:
        self._stopped = True

    def look_up(self) -> None:
        """Nobody looks."""


def build(task: bytes) -> Worker:
    """The worker for a task as on the wire."""
    return Worker(pickle.loads(task))  # noqa: S301 - of our own processes


def answer(worker: Worker | None, task: bytes, shard: bytes) -> tuple[Worker | None, bytes]:
    """The worker, built if there is none yet, and its reply."""
    try:
        worker = worker or build(task)
    except ScorerkitError as error:
        return None, _packed_error(error)
    return worker, worker.score(shard)


def _packed_error(error: BaseException) -> bytes:
    return pickle.dumps(_bare(error), pickle.HIGHEST_PROTOCOL)


def _bare(error: BaseException) -> BaseException:
    """An error that goes to another process: without what it was raised from."""
    if not isinstance(error, ScorerkitError):
        return error
    kind: Any = Inconclusive if isinstance(error, Inconclusive) else ScorerkitError
    return _Portable(kind, error.message, error.code, error.why, error.fix)


class _Portable(Exception):  # noqa: N818 - becomes the error it stands for when it is unpacked
    def __init__(self, kind: type[ScorerkitError], message: str, code: Any, why: Any, fix: Any) -> None:
        super().__init__(message)
        self._parts = kind, message, code, why, fix

    def __reduce__(self) -> tuple[Any, ...]:
        return _raised, self._parts


def _raised(kind: type[ScorerkitError], message: str, code: Any, why: Any, fix: Any) -> ScorerkitError:
    return kind(message, code=code, why=why, fix=fix)
