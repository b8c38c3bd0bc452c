"""What advice looks at: code as trees, the names it reads, and the schemas of the judge's answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from jinja2 import nodes

from scorerkit.check.code import code_of
from scorerkit.check.references import functions_of
from scorerkit.check.schemas import schemas_in
from scorerkit.check.templates import parse
from scorerkit.definition import placed
from scorerkit.model.stage import STEPS
from scorerkit.reference import Reference, Signature, read_signature
from scorerkit.template.environment import METHODS, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.json import Json, Path
    from scorerkit.model.problem import Problem
    from scorerkit.reference import Namespace
    from scorerkit.source.document import Document

Chain = tuple[str, ...]


class Text(NamedTuple):
    """One template or expression: where it stands (``included``: in a file that some prompt includes), and its tree."""

    path: Path
    source: str
    kind: Literal["template", "expression"]
    places: tuple[str, ...]
    tree: nodes.Template
    included: Document | None = None

    def warning(self, definition: Definition, code: str, line: int, token: str, message: str, **more: Any) -> Problem:
        """A warning at a token of this text."""
        if self.included is None:
            return definition.problem_in_text(code, self.path, line, token, message, severity="warning", **more)
        place = self.included.place_in_text((), line, token)
        return placed(self.included, place, code, message, severity="warning", **more)


@dataclass(frozen=True)
class Material:
    """A definition without errors, taken apart once for all advice."""

    definition: Definition
    namespace: Namespace
    texts: tuple[Text, ...]

    def warning(self, code: str, path: Path, message: str, *, on: str = "key", **more: Any) -> Problem:
        """A warning at the key or the value of a path."""
        return self.definition.problem(code, path, message, on=on, severity="warning", **more)

    @property
    def steps(self) -> list[str]:
        """The steps that the definition has, in their order."""
        return [step for step in STEPS if self.definition.get("steps", step) is not None]

    @property
    def asked(self) -> list[str]:
        """The steps that the judge answers."""
        return [step for step in self.steps if self.definition.get("steps", step, "prompt") is not None]

    @cached_property
    def chains(self) -> frozenset[Chain]:
        """Every chain of names that is read; a function reads the whole of what it declares."""
        found = {chain for text in self.texts for chain in chains_of(text.tree)}
        found |= {(name,) for name in self._declared()}
        return frozenset(found)

    def reads(self, head: str, name: str) -> bool:
        """Whether ``head.name``, or ``head`` as a whole, is read anywhere."""
        return any(
            chain[0] == head and (len(chain) == 1 or chain[1] == name or chain[1] in METHODS[dict])
            for chain in self.chains
        )

    def _declared(self) -> Iterator[str]:
        for named in functions_of(self.definition):
            found = self.namespace.find(self.definition.get(*named.path, named.key))
            signature = read_signature(found) if isinstance(found, Reference) else None
            for argument in named.available:
                if not isinstance(signature, Signature) or signature.open or argument in signature.names:
                    yield "analyzeStepResult" if argument == "analyze_step_result" else argument

    def objects(self, step: str) -> Iterator[tuple[Path, dict[str, Json]]]:
        """Every schema with ``properties`` in the output schema of a step, with its path."""
        schema = self.definition.get("steps", step, "outputSchema") if step in self.asked else None
        for path, inner in schemas_in(schema, ("steps", step, "outputSchema")):
            if isinstance(inner.get("properties"), dict):
                yield path, inner


def material_of(definition: Definition, namespace: Namespace) -> Material:
    """Everything parsed once."""
    texts = [Text(*code, parse(code)) for code in code_of(definition)]
    for document in definition.includes.values():
        tree = plain().parse_unchanged(document.value)
        texts.append(Text((), document.value, "template", STEPS[-1:], tree, document))
    return Material(definition, namespace, tuple(texts))


def types_in(schema: Json) -> set[str]:
    """The types that a schema names."""
    kinds = schema.get("type", ()) if isinstance(schema, dict) else ()
    return {kinds} if isinstance(kinds, str) else set(kinds)


def chains_of(tree: nodes.Node) -> Iterator[Chain]:
    """The chains of names that code reads; ``x['y']`` is the same as ``x.y``."""
    if (chain := chain_of(tree)) is not None:
        yield chain
        return
    for child in tree.iter_child_nodes():
        yield from chains_of(child)


def chain_of(node: nodes.Node) -> Chain | None:
    """The chain that a node is; None where it is something else."""
    if isinstance(node, nodes.Name) and node.ctx == "load":
        return (node.name,)
    if isinstance(node, nodes.Getattr) and (head := chain_of(node.node)) is not None:
        return (*head, node.attr)
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
        head = chain_of(node.node)
        return None if head is None else (*head, node.arg.value)
    return None
