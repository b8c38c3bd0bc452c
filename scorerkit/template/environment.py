"""The one Jinja environment: sandboxed, immutable, strict, bounded. Templates get JSON data only."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from jinja2 import DictLoader, StrictUndefined, nodes
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from scorerkit import functions
from scorerkit.conversion import kind_of
from scorerkit.template import filters, limits
from scorerkit.template.bounds import bounded

if TYPE_CHECKING:
    from collections.abc import Mapping

METHODS: dict[type, frozenset[str]] = {
    dict: frozenset({"get", "items", "keys", "values"}),
    list: frozenset({"count", "index"}),
    tuple: frozenset({"count", "index"}),
    str: frozenset(
        [
            "capitalize",
            "casefold",
            "count",
            "endswith",
            "find",
            "index",
            "isalnum",
            "isalpha",
            "isdigit",
            "islower",
            "isnumeric",
            "isspace",
            "istitle",
            "isupper",
            "lower",
            "lstrip",
            "partition",
            "removeprefix",
            "removesuffix",
            "rfind",
            "rpartition",
            "rsplit",
            "rstrip",
            "split",
            "splitlines",
            "startswith",
            "strip",
            "swapcase",
            "title",
            "upper",
        ]
    ),
    float: frozenset({"is_integer"}),
}
"""The methods that data has. All else, such as ``format``, ``ljust`` or ``to_bytes``, is refused."""

# Names with a space cannot be written in a template, so only the rewriting below can use them.
SPEND, LINK, JOIN, BUILT = "scorerkit spend", "scorerkit link", "scorerkit join", "scorerkit built"


class Environment(ImmutableSandboxedEnvironment):
    """Jinja with bounds on loops, sizes and time, keys before methods, and JSON as the text of values."""

    intercepted_binops = frozenset(limits.BINARY)
    concat = staticmethod(limits.concat)

    def __init__(self, includes: Mapping[str, str] | None = None, links: Mapping[tuple[str, str], str] = {}) -> None:
        """``includes``: key → template text; ``links``: (key of the including file, name as written) → key."""
        loader = DictLoader(includes) if includes else None
        self._links = links
        super().__init__(
            undefined=StrictUndefined,
            autoescape=False,
            keep_trailing_newline=False,
            finalize=filters.text_of,
            loader=loader,
            cache_size=0 if loader is None else 400,
            auto_reload=False,
        )
        self.filters = filters.table() | {
            SPEND: limits.counted,
            LINK: self.link,
            JOIN: filters.joined,
            BUILT: limits.built,
        }
        calls = {name: filters.of_what_is_there(each) for name, each in functions.FILTERS.items()}
        self.globals = {"range": limits.bounded_range, "dict": _dict, **calls}

    def join_path(self, template: str, parent: str) -> str:
        return self._links.get((parent, template), template)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        return rewritten(self._bounded(source, name, filename))

    def parse_unchanged(self, source: str) -> nodes.Template:
        """The tree of a template as its author wrote it, for checks."""
        return self._bounded(source, None, None)

    def _bounded(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parse = super()._parse
        return bounded(lambda: parse(source, name, filename))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:  # noqa: ARG002 - jinja2 calls it
        return limits.BINARY[operator](left, right)

    def call(self, context: Any, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        limits.spend()
        return super().call(context, obj, *args, **kwargs)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:  # noqa: ARG002
        for kind, names in METHODS.items():
            if isinstance(obj, kind):
                return attr in names
        # Everything else that a template can hold comes from Jinja itself: loops, macros, modules.
        return type(obj).__module__.startswith("jinja2.") and not attr.startswith("_")

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Keys of a mapping come before its methods: ``x.items`` is the field."""
        if type(obj) is dict:
            if attribute in obj:
                return obj[attribute]
            if attribute not in METHODS[dict]:
                return self.undefined(obj=obj, name=attribute)
        if isinstance(obj, StrictUndefined):
            obj._fail_with_undefined_error()  # noqa: SLF001 - jinja's own way to say what is missing
        if isinstance(obj, str) and attribute not in METHODS[str]:
            # Jinja would hand out a wrapped ``format`` before it asks whether that is safe.
            known = hasattr(obj, attribute)
            return self.unsafe_undefined(obj, attribute) if known else self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Items only: ``x['upper']`` is never a method."""
        try:
            return obj[argument]
        except (AttributeError, TypeError, LookupError):
            return self.undefined(obj=obj, name=argument)

    def link(self, obj: Any, name: Any) -> Any:
        """One link of a chain below ``default`` or ``is defined``, where missing links are fine."""
        if obj is None or isinstance(obj, StrictUndefined):
            return self.undefined(obj=obj, name=name)
        return self.getattr(obj, name) if isinstance(name, str) else self.getitem(obj, name)

    def unsafe_undefined(self, obj: Any, attribute: str) -> Any:
        return self.undefined(
            f"{attribute!r} of {kind_of(obj)} may not be used", name=attribute, obj=obj, exc=SecurityError
        )


def _dict(*args: Any, **items: Any) -> object:
    return limits.built(dict(*args, **items))


class _Rewriter(NodeTransformer):
    """Puts the bounds into the tree: loops and lists are charged, ``~`` is bounded, ``default`` mends chains."""

    def visit_List(self, node: nodes.List) -> nodes.Expr:  # noqa: N802 - jinja2 dispatches by this name
        self.generic_visit(node)
        return node if all(isinstance(item, nodes.Const) for item in node.items) else _filter(node, BUILT)

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Expr:  # noqa: N802
        self.generic_visit(node)
        plain = node.ctx != "load" or all(isinstance(item, nodes.Const) for item in node.items)
        return node if plain else _filter(node, BUILT)

    def visit_Dict(self, node: nodes.Dict) -> nodes.Expr:  # noqa: N802
        self.generic_visit(node)
        return node if all(isinstance(pair.value, nodes.Const) for pair in node.items) else _filter(node, BUILT)

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802 - jinja2 dispatches by this name
        self.generic_visit(node)
        node.iter = _filter(cast("nodes.Expr", node.iter), SPEND)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Filter:  # noqa: N802
        self.generic_visit(node)
        return _filter(nodes.List(node.nodes, lineno=node.lineno), JOIN)

    def visit_Filter(self, node: nodes.Filter) -> nodes.Filter:  # noqa: N802
        self.generic_visit(node)
        if node.name in ("default", "d") and node.node is not None:
            node.node = _lenient(node.node)
        return node

    def visit_Test(self, node: nodes.Test) -> nodes.Test:  # noqa: N802
        self.generic_visit(node)
        if node.name in ("defined", "undefined"):
            node.node = _lenient(node.node)
        return node


def _filter(node: nodes.Expr, name: str, *args: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(args), [], None, None, lineno=node.lineno)


def _lenient(node: nodes.Expr) -> nodes.Expr:
    """The same chain of attributes and items, each link forgiving what the one before it lacks."""
    if isinstance(node, nodes.Getattr):
        return _filter(_lenient(node.node), LINK, nodes.Const(node.attr, lineno=node.lineno))
    if isinstance(node, nodes.Getitem) and not isinstance(node.arg, nodes.Slice):
        return _filter(_lenient(node.node), LINK, node.arg)
    return node


def rewritten(tree: nodes.Template) -> nodes.Template:
    """The tree with its bounds; Jinja compiles this one."""
    _Rewriter().visit(tree)
    tree.set_environment(tree.environment)  # type: ignore[arg-type]
    return tree


@cache
def plain() -> Environment:
    """The environment of all code that includes nothing; it keeps no state, so one serves everybody."""
    return Environment()


__all__ = ["METHODS", "Environment", "plain", "rewritten"]
