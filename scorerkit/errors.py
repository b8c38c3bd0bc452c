"""The exceptions of this package. Each knows its exit code and carries data; none prints.

Two families: those that stop a command (:class:`ScorerkitError` with ``exit_code``), and those that fail one record
(:class:`RecordError`), which the interpreter turns into a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.json import Json
    from scorerkit.model.problem import Problem


class ScorerkitError(Exception):
    """What a command cannot go on from. ``why`` and ``fix`` are shown below the message."""

    exit_code = 2
    code: str | None = None

    def __init__(
        self, message: str, *, code: str | None = None, why: str | None = None, fix: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.why = why
        self.fix = fix


class InvalidScorer(ScorerkitError):  # noqa: N818 - the public name says what the value is
    """A definition with mistakes; ``problems`` holds all of them, in reading order."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        first = self.problems[0]
        more = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
        super().__init__(
            f"{first.path}:{first.place.line}:{first.place.column}: {first.message}{more}", code=first.code
        )


class DataError(ScorerkitError):
    """Data that cannot be read at all, or must not be scored as it is (duplicate ids, another encoding)."""

    def __init__(self, message: str, *, problems: Sequence[Problem] = (), **more: str | None) -> None:
        super().__init__(message, **more)
        self.problems = tuple(problems)


class MissingKey(ScorerkitError):  # noqa: N818
    """The environment variable that holds the judge's key is not set."""

    code = "no-api-key"


class MissingExtra(ScorerkitError):  # noqa: N818
    """An optional library is needed and not installed."""

    def __init__(self, extra: str, needed_for: str) -> None:
        super().__init__(f"{needed_for} needs the extra '{extra}'", fix=f"install it: pip install 'scorerkit[{extra}]'")


class NothingSelected(ScorerkitError):  # noqa: N818
    """An empty data set or a filter that leaves nothing: an empty green is not a green."""

    exit_code = 5


class Inconclusive(ScorerkitError):  # noqa: N818
    """The experiment could not be carried to its end; what was scored is kept."""

    exit_code = 3


class RecordError(Exception):
    """What fails one record and nothing else.

    ``code`` is one of the scoring or data codes (``scorerkit rule``); ``at`` says where: a file, line, JSON path.
    """

    def __init__(
        self, code: str, message: str, *, at: Json = None, why: str | None = None, fix: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.at = at
        self.why = why
        self.fix = fix

    def __reduce__(self) -> tuple[object, ...]:
        """For another process: an exception that takes more than its message does not go there by itself."""
        return type(self), (self.code, self.message), self.__dict__


class NotScorable(Exception):  # noqa: N818 - a verdict, not an error
    """There is nothing to judge. Raised by ``not_scorable('why')``; a function step may also return it."""

    def __init__(self, reason: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
