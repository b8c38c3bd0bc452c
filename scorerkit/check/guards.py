"""What code looks at before it reads on: through a guarded name, a result that may be null can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import nodes

from scorerkit.template import chains_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def guards_in(tree: nodes.Node) -> Iterator[tuple[str, ...]]:
    """Chains that some condition looks at before anything is read through them."""
    for node in tree.find_all((nodes.If, nodes.CondExpr, nodes.And, nodes.Or, nodes.For)):
        looked_at = node.left if isinstance(node, nodes.BinExpr) else getattr(node, "test", None)
        yield from chains_of(looked_at) if looked_at else ()
    for node in tree.find_all((nodes.Filter, nodes.Test)):
        if node.node is not None and (isinstance(node, nodes.Test) or node.name in ("default", "d")):
            for chain in chains_of(node.node):
                yield from (chain[:length] for length in range(2, len(chain) + 1))
