"""Data of records that a prompt puts in without markers: a judged text can hold orders to the judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import nodes

from scorerkit.check import paths
from scorerkit.check.advice.material import chain_of
from scorerkit.check.advice.values import CLEAN, SAFE, Value, Values
from scorerkit.check.paths import OPEN
from scorerkit.check.scopes import run_fields, step_result
from scorerkit.model.stage import RESULT_KEY
from scorerkit.template import chains_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorerkit.check.advice.material import Material
    from scorerkit.definition import Definition
    from scorerkit.model.problem import Problem

OURS = frozenset({"runId"})
"""Fields of a run that are no text to judge."""


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
            return Values(names).value(_expression(text.tree))
    return CLEAN


def _expression(tree: nodes.Template) -> nodes.Expr | None:
    """What the tree of an expression assigns to its result."""
    found = tree.find(nodes.Assign)
    return found.node if found is not None and isinstance(found.node, nodes.Expr) else None


class _Printing(Values):
    """Follows values through the statements of one template to where they are printed."""

    def found(self, tree: nodes.Template) -> Iterator[tuple[int, str, str]]:
        """(line, token to point at, name) of every print of loose text."""
        yield from self._body(tree.body)

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
            self.bind(node.target, self.value(node.node))
        elif isinstance(node, nodes.AssignBlock):
            loose = any(True for _ in self._body(node.body))
            self.bind(node.target, Value(loose and not (node.filter and _is_safe(node.filter))))
        elif isinstance(node, nodes.With):
            values = [self.value(value) for value in node.values]
            self.locals.append({})
            for target, value in zip(node.targets, values, strict=True):
                self.bind(target, value)
            yield from self._body(node.body)
            self.locals.pop()
        elif isinstance(node, nodes.FilterBlock):
            found = list(self._body(node.body))
            yield from [] if _is_safe(node.filter) else found
        elif isinstance(node, nodes.Block):
            yield from self._body(node.body)
        elif isinstance(node, nodes.Macro):
            self.locals[-1][node.name] = CLEAN
        # What macros and calls print is put elsewhere, perhaps between markers: nothing is claimed.

    def _output(self, node: nodes.Output) -> Iterator[tuple[int, str, str]]:
        for part in node.nodes:
            if not isinstance(part, nodes.TemplateData) and self.value(part).loose:
                yield self._place(part)

    def _place(self, part: nodes.Node) -> tuple[int, str, str]:
        """The first loose name inside what is printed; its token ends before the first bracket."""
        if (chain := chain_of(part)) is not None:
            written = next(chains_of(part), chain)
            return part.lineno, ".".join(written), ".".join(chain)
        if isinstance(part, nodes.Call) and isinstance(part.node, nodes.Getattr):
            return self._place(part.node.node)
        printed = [part.expr1, part.expr2] if isinstance(part, nodes.CondExpr) else part.iter_child_nodes()
        loose = [child for child in printed if child is not None and self.value(child).loose]
        return self._place(loose[0]) if loose else (part.lineno, "{{", "this value")

    def _for(self, node: nodes.For) -> Iterator[tuple[int, str, str]]:
        listed = self.value(node.iter)
        entry = Value(listed.loose, paths.item(listed.known) if listed.entries is None else OPEN)
        self.locals.append({"loop": CLEAN})
        self.bind(node.target, entry)
        found = list(self._body(node.body))
        self.locals.pop()
        yield from found
        yield from self._body(node.else_)


def _is_safe(node: nodes.Filter) -> bool:
    """Whether a chain of filters, as blocks have it, ends in a safe one or passes through one."""
    inner: nodes.Node | None = node
    while isinstance(inner, nodes.Filter):
        if inner.name in SAFE:
            return True
        inner = inner.node
    return False
