"""One record with every scorer: the piece of work that is the same wherever it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from scorerkit.engine.job import Scored
from scorerkit.model.judge import USED_UP
from scorerkit.pipeline import FatalJudge, failed_record, score_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.engine.job import Job, Results
    from scorerkit.model.judge import Answer, Judge, Question
    from scorerkit.model.plan import Plan
    from scorerkit.results.row import RowMaker


class Steps(Protocol):
    """Where judged steps of unfinished records are kept. A store satisfies this protocol."""

    resumed: bool

    async def answered(self, position: int, scorer: int, step: str, sample: int, answer: Answer, /) -> None:
        """Keep a step; it is committed when this returns."""
        ...

    async def steps(self, position: int, scorer: int, /) -> dict[tuple[str, int], Answer]:
        """The steps of a record that an earlier execution finished."""
        ...


class Stop(NamedTuple):
    """Why an experiment ends early."""

    code: str
    why: str


class Scoring:
    """Scores jobs. ``stopped`` says, once it is set, that no further job will get anything.

    Args:
        judges: who is asked, by scorer.
        steps: where judged steps are kept; None where nothing is.
    """

    def __init__(
        self, plans: Sequence[Plan], judges: Sequence[Judge | None], rows: RowMaker, steps: Steps | None = None
    ) -> None:
        self._plans = tuple(zip(plans, judges, strict=True))
        self._rows = rows
        self._steps = steps
        self.stopped: Stop | None = None

    @property
    def waits(self) -> bool:
        """Whether any step waits for something, so that several records at a time pay."""
        return any(planned.step.waits for plan, _ in self._plans for planned in plan.steps)

    async def score(self, job: Job) -> Results:
        """The results of a record, those kept of it included."""
        if job.kept is None:
            return [await self._one(plan, judge, job, number) for number, (plan, judge) in enumerate(self._plans)]
        return [
            job.kept[number] or await self._one(plan, judge, job, number)
            for number, (plan, judge) in enumerate(self._plans)
        ]

    async def _one(self, plan: Plan, judge: Judge | None, job: Job, number: int) -> Scored | None:
        run, error = job.record.run, job.record.error
        if error is not None:
            result = failed_record(plan, error, run)
            return Scored(result, self._rows.line(result))
        if judge is not None and self._steps is not None and plan.judged:
            known = await self._steps.steps(job.position, number) if self._steps.resumed else {}
            judge = _Remembering(judge, self._steps, job.position, number, known)
        try:
            result = await score_run(plan, run, judge)  # type: ignore[arg-type]
        except FatalJudge as fatal:
            if fatal.error.code == USED_UP:
                self.stopped = self.stopped or Stop("budget", fatal.error.message)
                return None
            self.stopped = self.stopped or Stop("judge-refused", fatal.error.message)
            result = fatal.result
        return Scored(result, self._rows.line(result))


class _Remembering:
    """The judge of one record: a step that was finished is not asked again."""

    __slots__ = ("_judge", "_known", "_position", "_scorer", "_steps")

    def __init__(
        self, judge: Judge, steps: Steps, position: int, scorer: int, known: dict[tuple[str, int], Answer]
    ) -> None:
        self._judge = judge
        self._steps = steps
        self._position = position
        self._scorer = scorer
        self._known = known

    async def ask(self, question: Question) -> Answer:
        found = self._known.get((question.step, question.sample))
        if found is not None:
            return found
        answer = await self._judge.ask(question)
        await self._steps.answered(self._position, self._scorer, question.step, question.sample, answer)
        return answer

    async def close(self) -> None:
        await self._judge.close()
