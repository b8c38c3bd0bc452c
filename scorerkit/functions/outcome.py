"""How an expression ends its record on purpose."""

from __future__ import annotations

from typing import NoReturn

from scorerkit.errors import NotScorable, RecordError


def not_scorable(reason: str | None = None) -> NoReturn:
    """There is nothing to judge: the record gets the status ``notScorable``, and this reason.

    Raises:
        NotScorable: always.
    """
    raise NotScorable(reason)


def fail(why: str) -> NoReturn:
    """The record cannot be scored, and that is an error.

    Raises:
        RecordError: always, with the code ``step-failed``.
    """
    raise RecordError("step-failed", str(why))
