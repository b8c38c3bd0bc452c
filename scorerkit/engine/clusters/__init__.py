"""Where shards go: processes of this machine, or a cluster. One module each, behind one protocol."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, cast

from scorerkit.errors import MissingExtra, ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Callable

ENGINES = ("processes", "dask", "ray")
"""Names of the modules here, as ``--engine`` takes them."""
_EXTRAS = {"dask": "distributed", "ray": "ray"}


class WorkerLostError(Exception):
    """The process that had a shard died before it answered."""


@dataclass(frozen=True, slots=True)
class Call:
    """How a cluster is wanted.

    Attributes:
        workers: so many on this machine; None where an address is given.
        address: of a cluster that runs already.
        task: what every worker is told once, as on the wire.
    """

    task: bytes
    workers: int | None
    address: str | None = None


class Cluster(Protocol):
    """Scores shards somewhere.

    Attributes:
        width: shards on their way at a time: enough that no worker waits for the next one.
    """

    width: int

    async def start(self) -> None:
        """Bring the workers up.

        Raises:
            ScorerkitError: it cannot be reached or started.
        """
        ...

    async def score(self, shard: bytes) -> bytes:
        """The reply to a shard, both as on the wire.

        Raises:
            WorkerLostError: its worker died; the cluster has another one for the next call.
        """
        ...

    async def close(self) -> None:
        """End what was started."""
        ...


def check_engine(name: str, address: str | None) -> None:
    """Refuse what cannot be, before anything is read.

    Raises:
        ScorerkitError: processes have no address, and an address holds no password.
        MissingExtra: a library is not installed.
    """
    if address is not None and name == "processes":
        message = "--address names a cluster, and --engine none"
        raise ScorerkitError(message, fix="add --engine dask or --engine ray")
    if address is not None and "@" in address:
        message = "the address of --address holds a user or a password"
        raise ScorerkitError(message, fix="leave it out: neither Dask nor Ray takes one there")
    if name in _EXTRAS and find_spec(_EXTRAS[name]) is None:
        raise MissingExtra(name, f"--engine {name}")


def open_cluster(name: str, call: Call) -> Cluster:
    """The cluster of one of :data:`ENGINES`."""
    opener = import_module(f"{__name__}.{name}_cluster").open_cluster
    return cast("Callable[[Call], Cluster]", opener)(call)
