"""The weights of ``share``, held against the values that the judge may give: each has one, and there are no others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from jinja2 import nodes

from scorerkit.check import paths
from scorerkit.check.findings import Finding
from scorerkit.suggest import SHOWN, closest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorerkit.check.paths import Known
    from scorerkit.model.json import Json


def findings_of_share(
    line: int, field: Known, args: Sequence[nodes.Expr], kwargs: Sequence[nodes.Node]
) -> Iterator[Finding]:
    """What is wrong with literal weights for the values of ``field``; nothing where either is not known."""
    named = {keyword.key: keyword.value for keyword in kwargs if isinstance(keyword, nodes.Keyword)}
    given = named.get("values") or next(iter(args[0 if "key" in named else 1 :]), None)
    allowed = paths.choices(field)
    weighed = _literals(given)
    if not allowed or weighed is None:
        return
    missing = [value for value in allowed if value not in [each.value for each in weighed]]
    for each in weighed:
        if each.value in allowed:
            continue
        close = closest(each.value, filter(_is_text, missing)) if _is_text(each.value) else None
        missing = [value for value in missing if close is None or value != close]
        fix = f"did you mean '{close}'?" if close else f"use one of {_listed(allowed)}"
        message = f"'{field.label}' is never {_shown(each.value)}"
        why = f"its schema allows {_listed(allowed)}" if close else None
        yield Finding(each.lineno, _token(each.value), message, why, fix, "unknown-value")
    if missing and isinstance(given, nodes.Dict):
        yield Finding(
            line, "share", f"share has no weight for {_listed(missing)}",
            f"'{field.label}' may be that, and a record in which it is fails",
            f"add {_shown(missing[0])}: and its weight", "missing-key", "warning",
        )  # fmt: skip


def _literals(given: nodes.Node | None) -> list[nodes.Const] | None:
    """The keys of a mapping or the entries of a list, where all are written out."""
    if isinstance(given, nodes.Dict):
        found: list[nodes.Node] = [pair.key for pair in given.items]
    elif isinstance(given, (nodes.List, nodes.Tuple)):
        found = list(given.items)
    else:
        return None
    written = [each for each in found if isinstance(each, nodes.Const)]
    return written if len(written) == len(found) else None


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _token(value: Json) -> str:
    return value if isinstance(value, str) else _shown(value)


def _shown(value: Json) -> str:
    return f"'{value}'" if isinstance(value, str) else json.dumps(value, default=str)


def _listed(values: Sequence[Json]) -> str:
    words = [_shown(value) for value in values]
    return ", ".join([*words[:SHOWN], "…"] if len(words) > SHOWN else words)
