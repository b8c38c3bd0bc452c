"""What processors are and what they may answer. Built in or written in Python, a generation calls them alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from scorerkit.judge.failure import ProviderFailure
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Message

Kind = Literal["input", "output", "error"]


@dataclass(frozen=True, slots=True)
class Retry:
    """Send the request again, after this many milliseconds. What an error processor returns."""

    delay_ms: float = 0


class Refuse(Exception):  # noqa: N818 - says what to do
    """Raised by a processor to fail the record as ``refused-by-processor``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class InputProcessor(Protocol):
    def process_input(self, messages: Sequence[Message]) -> Sequence[Message] | Awaitable[Sequence[Message]]:
        """The messages to send instead, or raise :class:`Refuse`."""
        ...


class OutputProcessor(Protocol):
    def process_output(self, answer: Json) -> Json | Awaitable[Json]:
        """Raw text, or what the processor before made of it → text still to be read, or a JSON value.

        A ``ValueError`` of the judge's form (``Misfit``, ``Unreadable``) counts as an answer unusable as to format.
        """
        ...


class ErrorProcessor(Protocol):
    def process_api_error(self, error: ProviderFailure, retry_count: int) -> Retry | Awaitable[Retry | None] | None:
        """Whether to send again; ``retry_count`` counts the retries of this generation so far."""
        ...
