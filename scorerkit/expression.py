"""Expressions: Jinja expressions in the same sandbox, returning native values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2 import nodes
from jinja2.environment import Template as JinjaTemplate
from jinja2.exceptions import TemplateSyntaxError
from jinja2.parser import Parser
from jinja2.runtime import Undefined

from scorerkit.conversion import to_json
from scorerkit.errors import NotScorable
from scorerkit.template import Environment, Locate, Program, nowhere
from scorerkit.template.bounds import MAX_EXPRESSION, bounded
from scorerkit.template.environment import rewritten
from scorerkit.template.filters import bounded_json
from scorerkit.template.limits import BUDGET, Budget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json

_RESULT = "scorerkit_result"


class Expression(Program):
    """A compiled expression. ``evaluate`` fails with a :class:`RecordError` or :class:`NotScorable` only."""

    __slots__ = ()

    def evaluate(self, names: Mapping[str, Any]) -> Json:
        """The JSON value for these names; an undefined result is an error, never null."""
        token = BUDGET.set(Budget())
        context = self.context(names)
        try:
            for _ in self._root(context):
                pass
            value = context.vars[_RESULT]
            kind = type(value)
            if kind is float or kind is int or kind is bool or kind is str:
                return value if kind is not float else to_json(value)
            if isinstance(value, Undefined):
                value._fail_with_undefined_error()  # noqa: SLF001 - the only way to jinja's own message
            return bounded_json(value)
        except NotScorable:
            raise
        except Exception as error:  # whatever an expression does fails its record, not the run
            raise self.failure(error, names) from error
        finally:
            BUDGET.reset(token)


def parse_expression(environment: Environment, source: str) -> nodes.Template:
    """The tree of an expression as its author wrote it: one assignment to a hidden name.

    Raises:
        TemplateSyntaxError: jinja2's, with ``lineno`` and ``message``.
    """
    if len(source) > MAX_EXPRESSION:
        message = f"it is longer than {MAX_EXPRESSION:,} characters"
        raise TemplateSyntaxError(message, 1)
    return bounded(lambda: _parsed(environment, source))


def _parsed(environment: Environment, source: str) -> nodes.Template:
    parser = Parser(environment, source, state="variable")
    expression = parser.parse_expression()
    if not parser.stream.eos:
        message = f"unexpected '{parser.stream.current.value}' after the expression"
        raise TemplateSyntaxError(message, parser.stream.current.lineno)
    tree = nodes.Template([nodes.Assign(nodes.Name(_RESULT, "store"), expression, lineno=1)], lineno=1)
    tree.set_environment(environment)
    return tree


def compile_expression(environment: Environment, source: str, locate: Locate = nowhere) -> Expression:
    """Compile an expression; raises jinja2's ``TemplateSyntaxError``."""
    tree = rewritten(parse_expression(environment, source))
    template = JinjaTemplate.from_code(environment, environment.compile(tree), {})
    return Expression(environment, source, parse_expression(environment, source), template, locate)
