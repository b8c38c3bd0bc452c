"""What a template may look like, so that checking and compiling it needs neither deep recursion nor minutes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jinja2 import nodes
from jinja2.exceptions import TemplateSyntaxError

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 100
"""Nested nodes. Python's own parser ends at 200 brackets, and a link of a chain takes up to two."""

MAX_BLOCKS = 30
MAX_LOOPS = 15
"""Nested statements, and loops among them; Python compiles at most 20 loops inside each other."""

MAX_NODES = 100_000
MAX_EXPRESSION = 64 * 1024
"""Characters of an expression."""

_LOOPS = (nodes.For,)
_BLOCKS = (nodes.If, nodes.For, nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.With, nodes.AssignBlock)


def bounded(parse: Callable[[], nodes.Template]) -> nodes.Template:
    """The tree that ``parse`` makes.

    Raises:
        TemplateSyntaxError: it does not parse, or is too deep, too large, or holds a number that Python cannot read.
    """
    try:
        tree = parse()
    except RecursionError:
        refusal = "it is nested too deeply"
    except ValueError:  # int() of more than 4300 digits, inside jinja's lexer
        refusal = "a number in it is too long"
    else:
        _measure(tree)
        return tree
    raise TemplateSyntaxError(refusal, 1) from None


def _measure(tree: nodes.Template) -> None:
    count = 0
    waiting: list[tuple[nodes.Node, int, int, int]] = [(tree, 0, 0, 0)]
    while waiting:
        node, depth, blocks, loops = waiting.pop()
        count += 1
        blocks += isinstance(node, _BLOCKS)
        loops += isinstance(node, _LOOPS)
        if refusal := _refusal(node, count, depth, blocks, loops):
            raise TemplateSyntaxError(refusal, node.lineno or 1)
        waiting += [(child, depth + 1, blocks, loops) for child in node.iter_child_nodes()]


def _refusal(node: nodes.Node, count: int, depth: int, blocks: int, loops: int) -> str | None:
    if depth > MAX_DEPTH:
        return f"it is nested more than {MAX_DEPTH} levels deep"
    if blocks > MAX_BLOCKS:
        return f"more than {MAX_BLOCKS} blocks stand inside each other"
    if loops > MAX_LOOPS:
        return f"more than {MAX_LOOPS} loops stand inside each other"
    if isinstance(node, nodes.Const) and isinstance(node.value, float) and not math.isfinite(node.value):
        return "a number in it is too large"
    return f"it has more than {MAX_NODES:,} parts" if count > MAX_NODES else None
