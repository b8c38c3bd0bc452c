"""Processors written in Python: a function that names the arguments it wants, sync or async."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from scorerkit.conversion import to_json
from scorerkit.judge.processors.protocol import Retry
from scorerkit.model.judge import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorerkit.judge.failure import ProviderFailure
    from scorerkit.model.json import Json

METHODS = {"input": "process_input", "output": "process_output", "error": "process_api_error"}
"""Kind of processor → the method that an object of that kind may have instead of being callable."""


class PythonProcessor:
    """Calls the author's function with those of its arguments that it declares."""

    def __init__(self, kind: str, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
        self._call = _target(kind, function)
        self._options = dict(options)
        self._declared, self._takes_all = _declared(self._call)

    async def process_input(self, messages: Sequence[Message]) -> list[Message]:
        """The function gets and gives ``messages`` as a list of ``{"role", "content"}``."""
        plain = [{"role": message.role, "content": message.content} for message in messages]
        return [_message(item) for item in await self._called({"messages": plain})]

    async def process_output(self, answer: Json) -> Json:
        return to_json(await self._called({"answer": answer}))

    async def process_api_error(self, error: ProviderFailure, retry_count: int) -> Retry | None:
        """The function gets ``error`` (the exception), ``failure`` (its status, code, message) and ``retry_count``."""
        decision = await self._called({"error": error.error, "failure": error, "retry_count": retry_count})
        if decision is None or isinstance(decision, Retry):
            return decision
        msg = f"an error processor must return Retry(…) or None, not {type(decision).__name__}"
        raise TypeError(msg)

    async def _called(self, offered: Mapping[str, Any]) -> Any:
        known = {**offered, **self._options}
        given = known if self._takes_all else {name: known[name] for name in self._declared if name in known}
        result = self._call(**given)
        return await result if inspect.isawaitable(result) else result


def _target(kind: str, function: Any) -> Callable[..., Any]:
    """The function itself, or the method of an object (or of a class that needs no arguments)."""
    name = METHODS[kind]
    if not hasattr(function, name):
        return function  # type: ignore[no-any-return]
    holder = function() if inspect.isclass(function) else function
    return getattr(holder, name)  # type: ignore[no-any-return]


def _declared(function: Callable[..., Any]) -> tuple[tuple[str, ...], bool]:
    parameters = inspect.signature(function).parameters.values()
    return tuple(p.name for p in parameters), any(p.kind is p.VAR_KEYWORD for p in parameters)


def _message(item: Any) -> Message:
    if isinstance(item, Message):
        return item
    return Message(str(item["role"]), str(item["content"]))
