"""Which runs of a living application are scored: span, then filter, then sampling, as the reference decides."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from scorerkit.errors import NotScorable, RecordError
from scorerkit.expression import compile_expression
from scorerkit.template.environment import plain

if TYPE_CHECKING:
    from scorerkit.model.json import Json

Sampling = float | Mapping[str, Any] | None
Filter = str | Callable[[Mapping[str, Any]], Any] | None

_BYTES = 6
_ALL = 256.0**_BYTES
_DEEPEST = 8
_RESERVED = ("mastra__authToken", "__mastra_")


def unit(key: str) -> float:
    """A number in [0, 1) that depends on the key alone: 48 bits of its SHA-256, as the reference takes them.

    Scorers of the same rate thus take the same traces, and those of a smaller rate take a part of them.
    """
    digest = hashlib.sha256(key.encode()).digest()
    return int.from_bytes(digest[:_BYTES], "big") / _ALL


def rate_of(sampling: Sampling) -> float:
    """The share of runs that are scored: absent and ``{"type": "none"}`` mean all; what is not understood, none."""
    if sampling is None:
        return 1.0
    if isinstance(sampling, (int, float)) and not isinstance(sampling, bool):
        return float(sampling)
    if isinstance(sampling, Mapping):
        if sampling.get("type") == "none":
            return 1.0
        rate = sampling.get("rate")
        if sampling.get("type") == "ratio" and isinstance(rate, (int, float)) and not isinstance(rate, bool):
            return float(rate)
    return 0.0


class Decision:
    """Filter and sampling of one scorer. A filter that fails skips: nothing is scored that nobody asked for."""

    __slots__ = ("_filter", "rate")

    def __init__(self, sampling: Sampling = None, filter: Filter = None) -> None:  # noqa: A002 - the reference's name
        self.rate = rate_of(sampling)
        self._filter = compile_expression(plain(), filter).evaluate if isinstance(filter, str) else filter

    def takes(self, key: str) -> bool:
        """Whether sampling takes the run with this trace id (or run id)."""
        return self.rate >= 1 or (self.rate > 0 and unit(key) < self.rate)

    def passes(self, context: Mapping[str, Any]) -> bool:
        """Whether the filter lets a run through; ``context`` has entity, source and requestContext."""
        if self._filter is None:
            return True
        try:
            return bool(self._filter(context))
        except (RecordError, NotScorable):
            return False
        except Exception:
            return False


def flattened(context: Json) -> dict[str, Json]:
    """The plain values of a request context under dotted keys: what filters see, beside the context itself."""
    found: dict[str, Json] = {}
    _flatten(context, "", found, 0)
    return found


def _flatten(value: Json, prefix: str, found: dict[str, Json], depth: int) -> None:
    if not isinstance(value, Mapping) or depth > _DEEPEST:
        return
    for key, item in value.items():
        name = f"{prefix}{key}"
        if not isinstance(key, str) or key.startswith(_RESERVED):
            continue
        if isinstance(item, Mapping):
            _flatten(item, f"{name}.", found, depth + 1)
        elif isinstance(item, (str, bool)) or (isinstance(item, (int, float)) and math.isfinite(item)):
            found[name] = item
