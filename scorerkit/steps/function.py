from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.errors import NotScorable, RecordError
from scorerkit.steps.scores import convert

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.steps.calling import Call
    from scorerkit.steps.context import Context


class FunctionStep:
    """A step that a Python function answers."""

    kind = "function"
    __slots__ = ("at", "call", "name")

    def __init__(self, name: str, call: Call, at: Json) -> None:
        self.name = name
        self.call = call
        self.at = at

    @property
    def waits(self) -> bool:
        """Whether the function waits for something, so that several records at a time pay."""
        return self.call.is_async or self.call.in_thread

    async def execute(self, context: Context) -> Json:
        """The function's result, converted; a failure carries the step's place."""
        try:
            value = await self.call(context)
        except RecordError as error:
            error.at = error.at or self.at
            raise
        if isinstance(value, NotScorable):
            raise value
        return convert(self.name, value, self.at)
