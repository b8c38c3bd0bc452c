"""The databases that a store can be in: one module each, behind one protocol."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sqlalchemy import Engine, Table

MODULE_OF_SCHEME = {"": "sqlite", "postgresql": "postgresql", "postgres": "postgresql"}
"""Scheme of the address → module; a path has none."""


class Backend(Protocol):
    """What differs between databases. Connections are those of the driver itself."""

    shown: str
    """How messages name the store: never with a password."""
    mark: str
    """The placeholder of a value in SQL."""
    remote: bool
    """Whether a statement waits for a network, so that it belongs into a thread."""

    def engine(self) -> Engine:
        """For schema, migrations and queries."""
        ...

    def connect(self) -> Any:
        """A connection for bulk writes."""
        ...

    def transaction(self, connection: Any) -> AbstractContextManager[Any]:
        """All or nothing."""
        ...

    def insert(self, connection: Any, table: Table, rows: list[tuple[Any, ...]], *, again: bool) -> None:
        """Write rows; with ``again`` some of them may be there already and are replaced."""
        ...

    def hold(self, number: int) -> AbstractContextManager[Any] | None:
        """Hold a number against every other process for as long as this one lives; None where another one does."""
        ...

    def own_errors(self) -> tuple[type[BaseException], ...]:
        """What the driver raises."""
        ...


def backend_of(address: str) -> Backend:
    """The backend for a path or an address.

    Raises:
        ScorerkitError: no backend knows the scheme.
        MissingExtra: its driver is not installed.
    """
    from scorerkit.errors import ScorerkitError

    scheme = address.partition("://")[0] if "://" in address else ""
    module = MODULE_OF_SCHEME.get(scheme.partition("+")[0])
    if module is None:
        message = f"a store cannot be at an address that begins with '{scheme}://'"
        raise ScorerkitError(message, code="unknown-value", fix="name a file, or write postgresql://HOST/DATABASE")
    return cast("Backend", import_module(f"{__name__}.{module}").open_backend(address))
