"""The two corrections that an answer may need before it fits: nulls that only the wire asked for, numbers as text.

Used only for an answer that does not fit as it is, so a value that the author's schema allows is never touched.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorerkit.model.json import Json

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,3})?")
_MAX_DEPTH = 100


def repaired(value: Json, schema: Json, root: Json, fits: Callable[[Json, Json], bool], *, nulls: bool) -> Json:
    """A corrected copy; parts that need nothing are shared.

    Args:
        value: an answer that does not fit.
        schema: what it should fit.
        root: where references are looked up.
        fits: whether a value fits a branch of ``anyOf`` or ``oneOf``.
        nulls: drop nulls at optional properties that do not allow null.
    """
    return _Repair(root, fits, nulls=nulls).visit(value, schema, 0)


class _Repair:
    def __init__(self, root: Json, fits: Callable[[Json, Json], bool], *, nulls: bool) -> None:
        self._root = root
        self._fits = fits
        self._nulls = nulls

    def visit(self, value: Json, schema: Json, depth: int) -> Json:
        schema = self._resolved(schema)
        if not isinstance(schema, dict) or depth > _MAX_DEPTH:
            return value
        for branch in schema.get("allOf") or ():
            value = self.visit(value, branch, depth + 1)
        branches = schema.get("anyOf") or schema.get("oneOf")
        if branches:
            value = self._branch(value, branches, depth)
        if isinstance(value, dict):
            return self._fields(value, schema, depth)
        if isinstance(value, list):
            return self._items(value, schema, depth)
        return _as_number(value) if isinstance(value, str) and _wants_number(schema) else value

    def _branch(self, value: Json, branches: list[Json], depth: int) -> Json:
        if any(self._fits(value, branch) for branch in branches):
            return value
        tries = (self.visit(value, branch, depth + 1) for branch in branches)
        return next((new for new, branch in zip(tries, branches, strict=True) if self._fits(new, branch)), value)

    def _fields(self, value: dict[str, Json], schema: Mapping[str, Json], depth: int) -> Json:
        properties = schema.get("properties") or {}
        required = schema.get("required") or ()
        other = schema.get("additionalProperties")
        kept = {}
        for name, item in value.items():
            sub = properties.get(name, other if isinstance(other, dict) else True)
            if item is None and self._nulls and name in properties and name not in required and not self._null(sub):
                continue
            kept[name] = self.visit(item, sub, depth + 1)
        return kept

    def _null(self, schema: Json) -> bool:
        return schema is True or self._fits(None, schema)

    def _items(self, value: list[Json], schema: Mapping[str, Json], depth: int) -> Json:
        prefix, rest = schema.get("prefixItems") or [], schema.get("items", True)
        subs = [*prefix, *[rest] * (len(value) - len(prefix))]
        return [self.visit(item, sub, depth + 1) for item, sub in zip(value, subs, strict=False)]

    def _resolved(self, schema: Json) -> Json:
        for _ in range(_MAX_DEPTH):
            if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
                return schema
            schema = pointed(self._root, schema["$ref"])
        return True


def pointed(root: Json, reference: str) -> Json:
    """What a local reference (``#/$defs/x``) names; True, the schema of anything, if it names nothing."""
    node = root
    for part in reference.removeprefix("#").split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list) and name.isdecimal() and int(name) < len(node):
            node = node[int(name)]
        elif isinstance(node, dict) and name in node:
            node = node[name]
        else:
            return True
    return node if reference.startswith("#") else True


def _wants_number(schema: Mapping[str, Json]) -> bool:
    kind = schema.get("type")
    kinds = set(kind if isinstance(kind, list) else [kind])
    return bool(kinds & {"number", "integer"}) and "string" not in kinds


def _as_number(text: str) -> Json:
    bare = text.strip()
    if not _NUMBER.fullmatch(bare):
        return text
    if bare.lstrip("-").isdigit():
        return int(bare)
    number = float(bare)
    return number if math.isfinite(number) else text
