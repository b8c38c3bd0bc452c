"""Data of records that a prompt puts in without markers: a judged text can hold orders to the judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jinja2 import nodes

from scorerkit.check import paths
from scorerkit.check.advice.material import chain_of
from scorerkit.check.paths import OPEN, Known
from scorerkit.check.scopes import run_fields, step_result
from scorerkit.model.stage import RESULT_KEY
from scorerkit.template import chains_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorerkit.check.advice.material import Material
    from scorerkit.definition import Definition
    from scorerkit.model.problem import Problem

SAFE = frozenset(
    {"fenced", "length", "count", "wordcount", "round", "int", "float", "abs", "sum", "mean", "median", "share"}
    | {"average_precision", "similarity", "clamp", "contains_any", "not_scorable", "fail"}
)
"""Filters and functions whose result holds no text of what they are given, or holds it between markers."""

OURS = frozenset({"runId"})
"""Fields of a run that are no text to judge."""

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


def unfenced_data(material: Material) -> Iterator[Problem]:
    """Every place of a prompt (or of the judge's instructions) where text of a record is put in as it is."""
    names = _names(material)
    for text in material.texts:
        if text.kind == "template":
            for line, token, name in dict.fromkeys(_Printing(names).found(text.tree)):
                yield text.warning(
                    material.definition, "unfenced-data", line, token,
                    f"'{name}' is put into the prompt without markers",
                    why="a judged text can hold orders to the judge; between markers it is told to be material",
                    fix=f"write {{{{ {name} | fenced }}}}",
                )  # fmt: skip


def _names(material: Material) -> dict[str, Value]:
    results = {RESULT_KEY[step]: _result(material, step) for step in material.steps}
    return _base(material.definition) | {"results": Value(entries=results)}


def _base(definition: Definition) -> dict[str, Value]:
    fields = run_fields(definition).fields or {}
    return {"run": Value(entries={name: Value(name not in OURS, known) for name, known in fields.items()})}


def _result(material: Material, step: str) -> Value:
    """The result of a step; what a function returns may be anything, so nothing is claimed of it."""
    if step == "generateScore":
        return CLEAN
    if step in material.asked:
        return Value(data=True, known=step_result(material.definition, step))
    for text in material.texts:
        if text.path == ("steps", step, "expression"):
            earlier = {RESULT_KEY["preprocess"]: _result(material, "preprocess")} if step == "analyze" else {}
            names = _base(material.definition) | {"results": Value(entries=earlier)}
            return _Printing(names).value(_expression(text.tree))
    return CLEAN


def _expression(tree: nodes.Template) -> nodes.Expr | None:
    """What the tree of an expression assigns to its result."""
    found = tree.find(nodes.Assign)
    return found.node if found is not None and isinstance(found.node, nodes.Expr) else None


class _Printing:
    """Follows values through one template to where they are printed."""

    def __init__(self, names: Mapping[str, Value]) -> None:
        self.locals: list[dict[str, Value]] = [dict(names)]

    def found(self, tree: nodes.Template) -> Iterator[tuple[int, str, str]]:
        """(line, token to point at, name) of every print of loose text."""
        yield from self._body(tree.body)

    # -- statements ---------------------------------------------------------------------------------------------

    def _body(self, body: Sequence[nodes.Node]) -> Iterator[tuple[int, str, str]]:
        for node in body:
            yield from self._statement(node)

    def _statement(self, node: nodes.Node) -> Iterator[tuple[int, str, str]]:
        if isinstance(node, nodes.Output):
            yield from self._output(node)
        elif isinstance(node, nodes.For):
            yield from self._for(node)
        elif isinstance(node, nodes.If):
            yield from self._body([*node.body, *node.elif_, *node.else_])
        elif isinstance(node, nodes.Assign):
            self._bind(node.target, self.value(node.node))
        elif isinstance(node, nodes.AssignBlock):
            loose = any(True for _ in self._body(node.body))
            self._bind(node.target, Value(loose and not (node.filter and _is_safe(node.filter))))
        elif isinstance(node, nodes.With):
            values = [self.value(value) for value in node.values]
            self.locals.append({})
            for target, value in zip(node.targets, values, strict=True):
                self._bind(target, value)
            yield from self._body(node.body)
            self.locals.pop()
        elif isinstance(node, nodes.FilterBlock):
            found = list(self._body(node.body))
            yield from [] if _is_safe(node.filter) else found
        elif isinstance(node, (nodes.Block, nodes.Scope)):
            yield from self._body(node.body)
        # What macros and calls print is put elsewhere, perhaps between markers: nothing is claimed.

    def _output(self, node: nodes.Output) -> Iterator[tuple[int, str, str]]:
        for part in node.nodes:
            if not isinstance(part, nodes.TemplateData) and self.value(part).loose:
                yield self._place(part)

    def _place(self, part: nodes.Expr) -> tuple[int, str, str]:
        """The first loose name inside what is printed; its token ends before the first bracket."""
        if (chain := chain_of(part)) is not None:
            written = next(chains_of(part), chain)
            return part.lineno, ".".join(written), ".".join(chain)
        for child in part.iter_child_nodes():
            if isinstance(child, nodes.Expr) and self.value(child).loose:
                return self._place(child)
        return part.lineno, "{{", "this value"

    def _for(self, node: nodes.For) -> Iterator[tuple[int, str, str]]:
        listed = self.value(node.iter)
        entry = Value(listed.loose, paths.item(listed.known) if listed.entries is None else OPEN)
        self.locals.append({"loop": CLEAN})
        self._bind(node.target, entry)
        found = list(self._body(node.body))
        self.locals.pop()
        yield from found
        yield from self._body(node.else_)

    def _bind(self, target: nodes.Node, value: Value) -> None:
        if isinstance(target, nodes.Name):
            self.locals[-1][target.name] = value
        elif isinstance(target, nodes.Tuple):
            for part in target.items:
                self._bind(part, Value(value.loose))

    # -- expressions --------------------------------------------------------------------------------------------

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
                return self._any(*(each.value for each in node.items))
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


def _is_safe(node: nodes.Filter) -> bool:
    """Whether a chain of filters, as blocks have it, ends in a safe one or passes through one."""
    inner: nodes.Node | None = node
    while isinstance(inner, nodes.Filter):
        if inner.name in SAFE:
            return True
        inner = inner.node
    return False
