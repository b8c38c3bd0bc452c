"""Every name and attribute path of a template or an expression, held against the schemas of what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import nodes

from scorerkit.check import paths
from scorerkit.check.findings import Finding, Scope
from scorerkit.check.guards import guards_in
from scorerkit.check.paths import OPEN, Known
from scorerkit.check.syntax import fix_of_name
from scorerkit.check.weights import findings_of_share
from scorerkit.model.run import RUN_KEYS
from scorerkit.suggest import closest, listed
from scorerkit.template import chains_of
from scorerkit.template.environment import METHODS

if TYPE_CHECKING:
    from collections.abc import Sequence

SAME_LIST = frozenset(
    {"aligned", "list", "reverse", "sort", "unique", "select", "reject", "selectattr", "rejectattr", "truncate"}
)
BY_ATTRIBUTE = frozenset({"selectattr", "rejectattr", "map", "groupby", "sort", "sum", "unique", "max", "min", "share"})


class NameChecker:
    """Walks one tree. ``findings`` fills in reading order; ``read`` collects the chains that were read."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.findings: list[Finding] = []
        self.locals: list[dict[str, Known]] = [{}]
        self._guarded: set[tuple[str, ...]] = set()

    def check(self, tree: nodes.Node) -> list[Finding]:
        """All findings of a tree."""
        self._guarded = set(guards_in(tree))
        self._visit(tree)
        return sorted(dict.fromkeys(self.findings))

    # -- statements ---------------------------------------------------------------------------------------------

    def _visit(self, node: nodes.Node) -> None:
        if isinstance(node, nodes.Expr):
            self._infer(node)
        elif isinstance(node, nodes.For):
            self._visit_for(node)
        elif isinstance(node, nodes.Assign):
            self._bind(node.target, self._infer(node.node), self.locals[-1])
        elif isinstance(node, (nodes.Macro, nodes.CallBlock)):
            self._visit_macro(node)
        elif isinstance(node, nodes.With):
            values = [self._infer(value) for value in node.values]
            bound: dict[str, Known] = {}
            for target, value in zip(node.targets, values, strict=True):
                self._bind(target, value, bound)
            self._inside(bound, node.body)
        elif isinstance(node, (nodes.Import, nodes.FromImport)):
            self._visit_import(node)
        elif isinstance(node, nodes.AssignBlock):
            self._bind(node.target, OPEN, self.locals[-1])
            self._inside({}, node.body)
        else:
            for child in node.iter_child_nodes():
                self._visit(child)

    def _visit_for(self, node: nodes.For) -> None:
        entries = paths.item(self._infer(node.iter))
        bound = {"loop": OPEN}
        self._bind(node.target, entries, bound)
        self._inside(bound, [node.test] if node.test else [])
        self._inside(bound, node.body)
        self._inside({}, node.else_)

    def _visit_macro(self, node: nodes.Macro | nodes.CallBlock) -> None:
        if isinstance(node, nodes.Macro):
            self.locals[-1][node.name] = OPEN
        else:
            self._infer(node.call)
        for value in node.defaults:
            self._infer(value)
        names = [argument.name for argument in node.args]
        self._inside(dict.fromkeys([*names, "caller", "varargs", "kwargs"], OPEN), node.body)

    def _visit_import(self, node: nodes.Import | nodes.FromImport) -> None:
        if isinstance(node, nodes.Import):
            self.locals[-1][node.target] = OPEN
            return
        for name in node.names:
            self.locals[-1][name[1] if isinstance(name, tuple) else name] = OPEN

    def _inside(self, bound: dict[str, Known], body: list[nodes.Node]) -> None:
        self.locals.append(bound)
        for node in body:
            self._visit(node)
        self.locals.pop()

    def _bind(self, target: nodes.Node, value: Known, into: dict[str, Known]) -> None:
        if isinstance(target, nodes.Name):
            into[target.name] = value
        elif isinstance(target, nodes.Tuple):
            for part in target.items:
                self._bind(part, OPEN, into)

    # -- expressions --------------------------------------------------------------------------------------------

    def _infer(self, node: nodes.Node) -> Known:
        if isinstance(node, nodes.Name):
            return self._name(node)
        if isinstance(node, nodes.Getattr):
            return self._field(node, self._infer(node.node), node.attr)
        if isinstance(node, nodes.Getitem):
            return self._item(node)
        if isinstance(node, nodes.Filter):
            return self._filter(node)
        if isinstance(node, nodes.Call):
            return self._call(node)
        if isinstance(node, nodes.CondExpr):
            for part in (node.test, node.expr1, node.expr2):
                if part is not None:
                    self._infer(part)
            return OPEN
        for child in node.iter_child_nodes():
            self._visit(child)
        return OPEN

    def _name(self, node: nodes.Name) -> Known:
        for names in reversed(self.locals):
            if node.name in names:
                return names[node.name]
        if node.name in self.scope.names:
            return self.scope.names[node.name]
        known = self.scope.partial or node.name in self.scope.globals
        if not known and node.name not in ("true", "false", "none", "self"):
            message = f"'{node.name}' is not known in {self.scope.place}"
            why = self.scope.elsewhere.get(node.name)
            fix = None if why else self._fix_of_root(node.name)
            self.findings.append(Finding(node.lineno, node.name, message, why, fix))
        return OPEN

    def _fix_of_root(self, name: str) -> str | None:
        """A name of another language, a field without its owner, or a name that was misspelt."""
        names = self.scope.names
        if fix := fix_of_name(name):
            return fix
        if "run" in names and name in RUN_KEYS and paths.field(names["run"], name)[0] is not None:
            return f"write 'run.{name}'"
        if "row" in names and closest(name, names) is None:
            return f"write 'row.{name}'"
        return _fix(name, [*names])

    def _field(self, node: nodes.Expr, base: Known, name: str, *, called: bool = False) -> Known:
        kind = paths.only_type(base)
        if called and name in _methods(kind):
            return OPEN
        found, allowed = paths.field(base, name)
        if found is None:
            self._missing(node, base, name, allowed, kind)
            return OPEN
        self._warn_null(node, base, name)
        return found

    def _missing(self, node: nodes.Expr, base: Known, name: str, allowed: list[str], kind: str | None) -> None:
        why, fix = self.scope.elsewhere.get(f"{base.label}.{name}"), _fix(name, allowed)
        message = f"{base.label} has no '{name}'"
        if not allowed and kind not in (None, "object"):
            words = {"string": "text", "array": "a list", "boolean": "true or false"}
            message, fix = f"{base.label} is {words.get(kind or '', 'a number')} and has no '{name}'", None
        if why:
            fix = None
        self.findings.append(Finding(node.lineno, name, message, why, fix))

    def _warn_null(self, node: nodes.Expr, base: Known, name: str) -> None:
        chain = next(chains_of(node), ())[:-1]
        if base.maybe_null is None or any(chain[: len(guard)] == guard for guard in self._guarded if guard):
            return
        self.findings.append(
            Finding(
                node.lineno, name, f"the result of {base.maybe_null} may be null here",
                f"{base.maybe_null} has a 'when'; its result is null when it is skipped",
                f"guard it: results.{base.label}.{name} if results.{base.label} else …", "maybe-null", "warning",
            )
        )  # fmt: skip

    def _item(self, node: nodes.Getitem) -> Known:
        base = self._infer(node.node)
        if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
            return self._field(node, base, node.arg.value)
        self._visit(node.arg)
        return paths.item(base) if isinstance(node.arg, nodes.Const) else OPEN

    def _filter(self, node: nodes.Filter) -> Known:
        base = self._infer(node.node) if isinstance(node.node, nodes.Expr) else OPEN
        return self._applied(node, node.name, base, node.args, node.kwargs)

    def _call(self, node: nodes.Call) -> Known:
        target = node.node
        if isinstance(target, nodes.Getattr):
            self._field(target, self._infer(target.node), target.attr, called=True)
            self._arguments(node.args, node.kwargs)
            return OPEN
        self._infer(target)
        if isinstance(target, nodes.Name) and node.args:
            return self._applied(node, target.name, self._infer(node.args[0]), node.args[1:], node.kwargs)
        self._arguments(node.args, node.kwargs)
        return OPEN

    def _arguments(self, args: list[nodes.Expr], kwargs: Sequence[nodes.Node]) -> None:
        for value in [*args, *kwargs]:
            self._visit(value)

    def _applied(
        self, node: nodes.Expr, name: str, base: Known, args: list[nodes.Expr], kwargs: Sequence[nodes.Node]
    ) -> Known:
        """What a filter gives for what it is given; fields that it is told by name are checked too."""
        self._arguments(args, kwargs)
        if name in ("first", "last"):
            return paths.item(base)
        attribute = self._attribute(node, name, base, args, kwargs)
        if name == "share" and attribute is not None:
            self.findings += findings_of_share(node.lineno, attribute, args, kwargs)
        if name == "map":
            return _list_of(attribute) if attribute else OPEN
        return base if name in SAME_LIST else OPEN

    def _attribute(
        self, node: nodes.Expr, name: str, base: Known, args: list[nodes.Expr], kwargs: Sequence[nodes.Node]
    ) -> Known | None:
        """The field that ``attribute='x'`` (or the first argument of selectattr and share) names in each entry."""
        keywords = [keyword for keyword in kwargs if isinstance(keyword, nodes.Keyword)]
        named = [keyword.value for keyword in keywords if keyword.key in ("attribute", "key")]
        if name in ("selectattr", "rejectattr", "groupby", "share"):
            named += args[:1]
        if name not in BY_ATTRIBUTE or not named or not isinstance(named[0], nodes.Const):
            return None
        value = named[0].value
        if not isinstance(value, str) or "." in value:
            return None
        return self._field(node, paths.item(base), value)


def _list_of(known: Known) -> Known:
    return Known({"type": "array", "items": known.schema}, known.root, known.label)


def _methods(kind: str | None) -> frozenset[str]:
    by_type = {"string": METHODS[str], "object": METHODS[dict], "array": METHODS[list], "number": METHODS[float]}
    return by_type.get(kind or "", frozenset().union(*METHODS.values()))


def _fix(name: str, allowed: list[str]) -> str | None:
    if close := closest(name, allowed):
        return f"did you mean '{close}'?"
    return f"use one of {listed(allowed)}" if allowed else None
