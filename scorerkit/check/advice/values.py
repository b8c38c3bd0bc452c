"""Which values of a template hold text of a record, followed through its expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jinja2 import nodes

from scorerkit.check import paths
from scorerkit.check.paths import OPEN, Known

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SAFE = frozenset(
    {"fenced", "length", "count", "wordcount", "round", "int", "float", "abs", "sum", "mean", "median", "share"}
    | {"average_precision", "similarity", "clamp", "contains_any", "not_scorable", "fail"}
)
"""Filters and functions whose result holds no text of what they are given, or holds it between markers."""

STRUCTURE = frozenset({"role"})
"""Fields of messages that say what a text is."""


class Value(NamedTuple):
    """A value: whether it comes from a record, its schema, and its entries where they are spelt out."""

    data: bool = False
    known: Known = OPEN
    entries: Mapping[str, Value] | None = None

    @property
    def loose(self) -> bool:
        """Whether text of a record may stand in it."""
        if self.entries is not None:
            return any(entry.loose for entry in self.entries.values())
        return self.data and paths.holds_text(self.known)


CLEAN = Value()


class Values:
    """The value of each expression, by the names that are known at the place where it stands."""

    def __init__(self, names: Mapping[str, Value]) -> None:
        self.locals: list[dict[str, Value]] = [dict(names)]

    def bind(self, target: nodes.Node, value: Value) -> None:
        if isinstance(target, nodes.Name):
            self.locals[-1][target.name] = value
        elif isinstance(target, nodes.Tuple):
            for part in target.items:
                self.bind(part, Value(value.loose))

    def value(self, node: nodes.Node | None) -> Value:
        """What an expression gives."""
        if isinstance(node, nodes.Name):
            return next((names[node.name] for names in reversed(self.locals) if node.name in names), CLEAN)
        if isinstance(node, nodes.Getattr):
            return _field(self.value(node.node), node.attr)
        if isinstance(node, nodes.Getitem):
            return self._item(node)
        if isinstance(node, nodes.Filter):
            return self._filter(node)
        if isinstance(node, nodes.Call):
            return self._call(node)
        if isinstance(node, nodes.CondExpr):
            return self._any(node.expr1, node.expr2)
        if isinstance(node, (nodes.Compare, nodes.Test, nodes.Not)):
            return CLEAN
        if isinstance(node, nodes.Dict):
            return self._dict(node)
        return self._any(*node.iter_child_nodes()) if node is not None else CLEAN

    def _any(self, *parts: nodes.Node | None) -> Value:
        return Value(any(self.value(part).loose for part in parts))

    def _dict(self, node: nodes.Dict) -> Value:
        entries = {}
        for pair in node.items:
            if not isinstance(pair.key, nodes.Const):
                return self._any(*node.items)
            entries[str(pair.key.value)] = self.value(pair.value)
        return Value(entries=entries)

    def _item(self, node: nodes.Getitem) -> Value:
        base = self.value(node.node)
        if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
            return _field(base, node.arg.value)
        return Value(base.loose, paths.item(base.known) if base.entries is None else OPEN)

    def _filter(self, node: nodes.Filter) -> Value:
        return self._applied(node.name, node.node, node.args, node.kwargs)

    def _applied(
        self, name: str, given: nodes.Node | None, args: Sequence[nodes.Expr], kwargs: Sequence[nodes.Node]
    ) -> Value:
        """Most filters give parts of what they are given: numbers and closed choices stay what they are."""
        if name in SAFE:
            return CLEAN
        base = self.value(given)
        if self._any(*args, *kwargs).data:
            return Value(data=True)
        if name in ("first", "last", "join"):
            return Value(base.loose, paths.item(base.known) if base.entries is None else OPEN)
        if name == "map":
            return self._mapped(base, args, kwargs)
        return base

    def _mapped(self, base: Value, args: Sequence[nodes.Expr], kwargs: Sequence[nodes.Node]) -> Value:
        keywords = [keyword for keyword in kwargs if isinstance(keyword, nodes.Keyword)]
        attribute = next((keyword.value for keyword in keywords if keyword.key == "attribute"), None)
        if args and isinstance(args[0], nodes.Const) and args[0].value in SAFE:
            return CLEAN
        if isinstance(attribute, nodes.Const) and isinstance(attribute.value, str) and base.entries is None:
            known, _ = paths.field(paths.item(base.known), attribute.value)
            items = {"type": "array", "items": known.schema} if known else {}
            return Value(base.data, Known(items, known.root if known else {}))
        return base

    def _call(self, node: nodes.Call) -> Value:
        if isinstance(node.node, nodes.Name):
            known_here = any(node.node.name in names for names in self.locals)
            first, rest = (node.args[0], node.args[1:]) if node.args else (None, [])
            return CLEAN if known_here else self._applied(node.node.name, first, rest, node.kwargs)
        if isinstance(node.node, nodes.Getattr):
            base = self.value(node.node.node)
            return Value(base.loose, base.known if base.entries is None else OPEN)
        return CLEAN


def _field(base: Value, name: str) -> Value:
    if name in STRUCTURE:
        return CLEAN
    if base.entries is not None:
        return base.entries.get(name, CLEAN)
    known, _ = paths.field(base.known, name)
    return Value(base.data, known or OPEN)
