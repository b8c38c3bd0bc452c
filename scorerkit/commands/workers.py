"""``--workers``, ``--engine`` and ``--address``: which engine scores, and what its workers are told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorerkit.commands.words import tell
from scorerkit.engine.clusters import Call, check_engine, open_cluster
from scorerkit.engine.sharded import Frame, Sharded
from scorerkit.engine.task import Task, at_most_workers
from scorerkit.errors import ScorerkitError
from scorerkit.experiment import DEFAULT_CONCURRENCY
from scorerkit.results.row import RowMaker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorerkit.commands.keeping import Keeping
    from scorerkit.commands.plans import Loaded
    from scorerkit.engine import Engine
    from scorerkit.experiment import Runner
    from scorerkit.judge.limits import Limits
    from scorerkit.settings import Settings

SHARDS_FULL = 4
"""Records of a shard, per record at a time: then a worker waits little for the last answers of a shard."""
ONE_PROCESS = ("record", "log_json")
"""Options for which one process has to see everything."""


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse what does not go together, before anything is read.

    Raises:
        ScorerkitError: an option that needs the other one, or does not go with it.
        MissingExtra: a library is not installed.
    """
    name = engine_name(options)
    if name is None:
        if options["address"]:
            message = "--address names a cluster, and --engine none"
            raise ScorerkitError(message, fix="add --engine dask or --engine ray")
        return
    check_engine(name, options["address"])
    for option in ONE_PROCESS:
        if options[option]:
            message = f"--{option.replace('_', '-')} needs one process, and --engine {name} has several"
            raise ScorerkitError(message, fix="give one of the two")


def engine_name(options: Mapping[str, Any]) -> str | None:
    """The engine that is wanted; None means this process."""
    name: str | None = options["engine"]
    return name or ("processes" if (options["workers"] or 1) > 1 else None)


def engine_of(
    loaded: tuple[Loaded, ...],
    options: Mapping[str, Any],
    settings: Settings,
    keeping: Keeping | None,
    limits: Limits | None,
) -> Callable[[Runner], Engine] | None:
    """What makes the engine of a runner; None means this process."""
    name = engine_name(options)
    if name is None:
        return None
    concurrency: int | None = options["concurrency"] or settings.config.get("concurrency")
    wanted: int = options["workers"] or 2
    workers = at_most_workers(settings, min(wanted, options["concurrency"] or wanted))
    if workers < wanted:
        tell(f"{workers} instead of {wanted} workers: no more than {workers} records may be scored at a time")
    judged = any(one.plan.judged for one in loaded)

    def make(runner: Runner) -> Engine:
        log = keeping.log if keeping is not None else None
        recordings = [Path(found) for one in loaded for found in one.plan.recordings]
        task = Task(
            definitions=tuple(one.definition for one in loaded),
            settings=settings,
            digests=tuple(one.plan.digest for one in loaded),
            experiment_id=runner.id,
            workers=workers,
            concurrency=concurrency,
            replay=tuple(options["replay"]) or tuple(recordings),
            replay_missing=options["replay_missing"],
            store=settings.store if log is not None and judged else None,
            number=log.number if log is not None else None,
            resumed=log is not None and log.resumed,
            cached=not options["no_cache"] and settings.config.get("cache") is not False,
            refresh=options["refresh"],
            limited=limits is not None,
        )
        call = Call(task.packed(), None if options["address"] else workers, options["address"])
        at_a_time = max(1, (concurrency or DEFAULT_CONCURRENCY) // workers)
        least = SHARDS_FULL * at_a_time if judged else 1
        frame = Frame(runner.plans, RowMaker(runner.id), runner.stop, _warn, limits, least)
        return Sharded(open_cluster(name, call), frame)

    return make


def _warn(message: str) -> None:
    tell(f"warning: {message}")
