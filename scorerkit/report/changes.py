"""What changed in a scorer, for people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scorerkit.report.problems.as_text import one_line
from scorerkit.report.problems.masking import masked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json

SIGNS = {"added": "+", "removed": "-", "changed": "~"}
SHOWN = 12


def render(found: dict[str, Json]) -> str:
    """Digests, then a line per key; texts of several lines as a unified diff."""
    return "".join(f"{masked(one_line(line))}\n" for line in _lines(found))


def _lines(found: dict[str, Json]) -> Iterator[str]:
    a, b = found["a"], found["b"]
    names = a["id"] if a["id"] == b["id"] else f"{a['id']} → {b['id']}"
    yield f"{names}: {_shown(a)} → {_shown(b)}"
    for key, words in (("digest", "digest"), ("judgeDigest", "judge digest")):
        if a[key] or b[key]:
            yield (
                f"  {words:<13} {_digest(a[key])} → {_digest(b[key])}"
                if a[key] != b[key]
                else f"  {words:<13} {_digest(a[key])}"
            )
    yield "  scores can differ" if found["scoresCanDiffer"] else "  no score can differ: the digests are equal"
    for change in found["changes"]:
        sign = SIGNS[change["change"]]
        if "diff" in change:
            yield f"  {sign} {change['path']}"
            yield from (f"      {line}" for line in change["diff"])
        elif change["change"] == "changed":
            yield f"  {sign} {change['path']}: {_value(change['old'])} → {_value(change['new'])}"
        else:
            value = change.get("new", change.get("old"))
            if isinstance(value, str) and "\n" in value.strip():
                yield f"  {sign} {change['path']}"
                yield from (f"      {sign}{line}" for line in value.splitlines())
            else:
                yield f"  {sign} {change['path']}: {_value(value)}"
    if not found["changes"]:
        yield "  nothing changed"


def _shown(side: dict[str, Json]) -> str:
    return f"{side['scorer']} ({side['commit'][:SHOWN]})" if side["commit"] else str(side["scorer"])


def _digest(digest: str | None) -> str:
    return digest[:SHOWN] if digest else "none"


def _value(value: Json) -> str:
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
