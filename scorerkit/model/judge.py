"""What passes between a prompt step and whoever answers it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from scorerkit.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json

Injection = Literal["auto", "native", "system", "inline"]
"""How the schema reaches the judge: ``jsonPromptInjection`` with ``false`` as native and ``true`` as system."""


USED_UP = "budget-used-up"
"""Code of the error that ends an experiment at a limit; no record carries it: those it meets are not reached."""


class Message(NamedTuple):
    """One message to the judge: role is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Target:
    """Where requests go. Comes from project configuration and the command line, never from a scorer file.

    Attributes:
        provider: as instructor's provider table spells it, such as ``openai``.
        name: the model's name for that provider.
        base_url: None means the provider's own.
        api_key_env: the variable that holds the key; ``""`` means none is needed, None the provider's usual one.
        headers_env: header name → variable that holds its value.
        structured_output: whether the model answers in native structured output; None means look it up.
    """

    provider: str
    name: str
    base_url: str | None = None
    api_key_env: str | None = None
    headers_env: Mapping[str, str] = field(default_factory=dict)
    structured_output: bool | None = None
    context_window: int | None = None
    max_concurrency: int | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    input_price: float | None = None
    output_price: float | None = None

    @property
    def model(self) -> str:
        """``provider/name``."""
        return f"{self.provider}/{self.name}"


@dataclass(frozen=True, slots=True)
class JudgeConfig:
    """The fields of a judge, resolved for one step: nothing is looked up while records are scored.

    Attributes:
        settings: ``modelSettings`` with their keys in camelCase, as written.
        input_processors, output_processors, error_processors: ready to call, in order.
        max_processor_retries: cap over all error processors for one generation.
        format_retries: further attempts after an answer that is not usable as to format.
    """

    target: Target
    injection: Injection = "auto"
    settings: Mapping[str, Json] = field(default_factory=dict)
    input_processors: tuple[Any, ...] = ()
    output_processors: tuple[Any, ...] = ()
    error_processors: tuple[Any, ...] = ()
    max_processor_retries: int = 10
    format_retries: int = 1


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt step of one record, ready to be asked. ``format`` None means plain text is wanted."""

    run_id: str | None
    step: str
    prompt: str
    config: JudgeConfig
    instructions: str | None = None
    format: Any = None
    sample: int = 0


class Answer(NamedTuple):
    """A usable answer: the JSON value (or text) and the execution record that results keep."""

    value: Json
    execution: dict[str, Json]


class JudgeError(RecordError):
    """No usable answer. ``execution`` is the record of the attempts; None when nothing was sent.

    ``fatal`` stops the whole experiment: an authorisation error or an unknown model would fail every record alike.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        execution: dict[str, Json] | None = None,
        fatal: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(code, message, **more)
        self.execution = execution
        self.fatal = fatal


class Judge(Protocol):
    """Answers prompt steps. Implementations: instructor, replay, and the author's own."""

    async def ask(self, question: Question) -> Answer:
        """Answer, or raise :class:`JudgeError`."""
        ...

    async def close(self) -> None:
        """Free connections; called once, after the last question."""
        ...
