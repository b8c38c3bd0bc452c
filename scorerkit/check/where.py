"""Filters of records that stand in no file: does the expression parse, do its names exist, also in a table's header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import nodes
from jinja2.exceptions import TemplateError, TemplateSyntaxError

from scorerkit.check.findings import Finding, Scope
from scorerkit.check.names import NameChecker
from scorerkit.check.paths import OPEN, closed
from scorerkit.check.syntax import sentence, syntax_fix
from scorerkit.check.templates import unknown_filters
from scorerkit.expression import parse_expression
from scorerkit.model.run import RUN_KEYS
from scorerkit.template import chains_of
from scorerkit.template.environment import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FOR_MISSING = ("default", "d", "defined", "undefined")


def check_where(source: str, columns: Iterable[str] | None = None) -> Finding | None:
    """The first mistake of an expression over ``row`` and ``run``; ``columns`` are all that ``row`` has, if known."""
    try:
        tree = parse_expression(plain(), source)
    except TemplateSyntaxError as error:
        fix = syntax_fix("expression", source, error)
        return Finding(1, "", f"it does not parse: {sentence(error)}", fix=fix, code="template-syntax")
    except TemplateError as error:
        return Finding(1, "", f"it does not parse: {error.message}", code="template-syntax")
    row = OPEN if columns is None else closed("row", dict.fromkeys(columns, OPEN))
    run = closed("run", dict.fromkeys(RUN_KEYS, OPEN))
    scope = Scope({"row": row, "run": run}, frozenset(plain().globals), place="a filter of records")
    forgiven = set(_forgiven(tree))
    found = [*NameChecker(scope).check(tree), *unknown_filters(tree)]
    return next((each for each in found if each.severity == "error" and each.token not in forgiven), None)


def _forgiven(tree: nodes.Template) -> Iterator[str]:
    """Columns that the expression itself says may be missing."""
    for node in tree.find_all((nodes.Filter, nodes.Test)):
        if node.name in _FOR_MISSING and node.node is not None:
            yield from (chain[1] for chain in chains_of(node.node) if len(chain) > 1 and chain[0] == "row")
