"""Where scores go back to, so that they stand beside what was scored: one module per scheme."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.results.sinks import Sink

MODULE_OF_SCHEME = {"otlp": "otlp_events"}


def open_emitter(target: str) -> Sink:
    """An emitter for ``SCHEME:FILE`` or ``SCHEME:URL``. It takes whole results, whatever outputs leave out.

    Raises:
        ScorerkitError: the scheme or the address is not known, or the file cannot be made.
    """
    scheme, _, place = target.partition(":")
    if scheme not in MODULE_OF_SCHEME or not place:
        message = f"--emit does not know '{target}'"
        raise ScorerkitError(message, fix="write otlp:FILE.jsonl or otlp:http://HOST:4318")
    opener = import_module(f"{__name__}.{MODULE_OF_SCHEME[scheme]}").open_target
    return cast("Callable[[str], Sink]", opener)(place)


def file_of(target: str) -> str | None:
    """The file that an emitter writes; None if it writes none."""
    place = target.partition(":")[2]
    return None if "://" in place or not place else place
