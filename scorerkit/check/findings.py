"""What a walk over one template or expression is told, and what it brings back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.check.paths import Known


class Finding(NamedTuple):
    """Something wrong on a line of a template; ``token`` is the name to point at."""

    line: int
    token: str
    message: str
    why: str | None = None
    fix: str | None = None
    code: str = "unknown-name"
    severity: str = "error"


@dataclass
class Scope:
    """The names that exist, with what is known of each, and sentences for names that exist elsewhere.

    ``partial``: further names may exist, as in an included template, which sees what the including one has set.
    """

    names: Mapping[str, Known]
    globals: frozenset[str] = frozenset()
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    place: str = "here"
    partial: bool = False
