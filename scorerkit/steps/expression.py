from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.steps.scores import convert

if TYPE_CHECKING:
    from scorerkit.expression import Expression
    from scorerkit.model.json import Json
    from scorerkit.steps.context import Context


class ExpressionStep:
    """A step that an expression answers."""

    kind = "expression"
    waits = False
    __slots__ = ("at", "expression", "name")

    def __init__(self, name: str, expression: Expression, at: Json) -> None:
        self.name = name
        self.expression = expression
        self.at = at

    async def execute(self, context: Context) -> Json:
        """The expression's value."""
        return convert(self.name, self.expression.evaluate(context.names), self.at)
