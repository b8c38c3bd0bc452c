"""What changed between two states of a scorer, as plain data."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from scorerkit.build.digest import LEFT_OUT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json
    from scorerkit.revisions.versions import Version

Leaves = dict[tuple[str, ...], Any]


def changes(a: Version, b: Version) -> dict[str, Json]:
    """Keys that were added, removed or changed, and whether a score can be moved by it."""
    found = [
        *_changed(_leaves(a.value), _leaves(b.value)),
        *_changed(_below("includes", a.texts), _below("includes", b.texts)),
        *_changed(_below("functions", a.functions), _below("functions", b.functions)),
    ]
    return {
        "kind": "scorers",
        "a": _identity(a),
        "b": _identity(b),
        "scoresCanDiffer": a.digest != b.digest or a.judge_digest != b.judge_digest,
        "changes": found,
    }


def _below(head: str, named: dict[str, str]) -> Leaves:
    return {(head, name): text for name, text in named.items()}


def _identity(version: Version) -> dict[str, Json]:
    return {
        "scorer": version.shown, "id": version.value.get("id"), "commit": version.commit, "digest": version.digest,
        "judgeDigest": version.judge_digest,
    }  # fmt: skip


def _leaves(value: Json, path: tuple[str, ...] = ()) -> Leaves:
    """Values by path. Mappings are gone into; so are lists of mappings, by place."""
    if isinstance(value, dict) and value:
        pairs = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        pairs = [(str(index), item) for index, item in enumerate(value)]
    else:
        return {path: value}
    return {leaf: item for key, inside in pairs for leaf, item in _leaves(inside, (*path, key)).items()}


def _changed(then: Leaves, now: Leaves) -> Iterator[dict[str, Json]]:
    for path in [*then, *(path for path in now if path not in then)]:
        old, new = then.get(path, ...), now.get(path, ...)
        if old == new and type(old) is type(new):
            continue
        entry: dict[str, Json] = {
            "path": ".".join(path),
            "moves": path[0] not in LEFT_OUT and not path[0].startswith("x-"),
        }
        if old is ...:
            entry |= {"change": "added", "new": new}
        elif new is ...:
            entry |= {"change": "removed", "old": old}
        else:
            entry |= {"change": "changed", "old": old, "new": new}
            if isinstance(old, str) and isinstance(new, str) and "\n" in (old + new).strip():
                entry["diff"] = _unified(old, new)
        yield entry


def _unified(old: str, new: str) -> list[str]:
    """Changed lines with three around them."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "then", "now", lineterm="")
    return list(lines)[2:]
