"""A scorer ready to run: everything resolved and compiled, nothing looked up by name while records are scored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from scorerkit.model.json import Json
    from scorerkit.model.judge import JudgeConfig
    from scorerkit.model.run import ScorerRun


class Bounds(NamedTuple):
    """A closed interval; None means no bound on that side."""

    minimum: float | None = None
    maximum: float | None = None

    def contains(self, value: float) -> bool:
        """Whether a value is inside, bounds included."""
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)


class Gate(NamedTuple):
    """What an experiment must reach: bounds of the mean, least pass rate, most not scorable (count, or share < 1)."""

    mean: Bounds | None = None
    pass_rate: float | None = None
    max_not_scorable: float | None = None


class Step(Protocol):
    """One step of a scorer, of any kind. A new kind is a class with this shape and a line in ``steps.KINDS``."""

    name: str
    kind: str
    at: Json

    @property
    def waits(self) -> bool:
        """Whether it waits for something while others could go on."""
        ...

    async def execute(self, context: Any) -> Json:
        """The step's result for one record; fails with ``RecordError``, or ``NotScorable``."""
        ...


class Planned(NamedTuple):
    """A step and the condition under which it runs (None: always)."""

    step: Step
    when: Callable[[Mapping[str, Any]], Json] | None = None


class Guard(NamedTuple):
    """A ``notScorable`` entry: evaluated as soon as the step ``after`` is behind; None means before any step."""

    when: Callable[[Mapping[str, Any]], Json]
    reason: str
    after: str | None = None


class DataSource(NamedTuple):
    """What a scorer names as its data: a path, and how its rows become records; ``written`` is all of it as data."""

    file: str
    shown: str
    format: str | None = None
    mapping: Mapping[str, Any] = {}
    where: Callable[[dict[str, Json], dict[str, Json]], bool] | None = None
    limit: int | None = None
    written: Json = None


@dataclass(frozen=True, slots=True)
class Plan:
    """One scorer. If you hold one, it is valid.

    Attributes:
        shape: brings a record to the scorer's ``type``.
        prepare: ``prepareRun``, in order; each returns a run, or an awaitable of one.
        validate: raises ``RecordError`` (``type-mismatch``) when a record does not fit the ``type``.
        digest: of everything that can move a score; None when code that is not in files takes part.
        judge_digest: of the resolved judge fields without the connection; None without prompt steps.
        configs: the judge of each prompt step.
    """

    id: str
    steps: tuple[Planned, ...]
    name: str = ""
    description: str | None = None
    version: str | None = None
    tags: tuple[str, ...] = ()
    deprecated: str | None = None
    params: dict[str, Json] = field(default_factory=dict)
    shape: Callable[[ScorerRun], ScorerRun] | None = None
    prepare: tuple[Callable[[ScorerRun], ScorerRun | Awaitable[ScorerRun]], ...] = ()
    validate: Callable[[ScorerRun], None] | None = None
    guards: tuple[Guard, ...] = ()
    range: Bounds | None = None
    direction: str = "maximize"
    threshold: Bounds | None = None
    gate: Gate | None = None
    data: DataSource | None = None
    digest: str | None = None
    judge_digest: str | None = None
    configs: Mapping[str, JudgeConfig] = field(default_factory=dict)
    recordings: tuple[str, ...] = ()
    source: str | None = None

    @property
    def judged(self) -> bool:
        """Whether any step asks the judge."""
        return bool(self.configs)

    @property
    def identity(self) -> dict[str, Json]:
        """``scorer`` of every result."""
        return {"id": self.id, "name": self.name or self.id, "version": self.version, "digest": self.digest}
