"""The interpreter: one plan, one record, one result. Here user code is called, and its failure becomes a value."""

from __future__ import annotations

import inspect
import time
from typing import TYPE_CHECKING, Any

from scorerkit.conversion import describe
from scorerkit.errors import Inconclusive, NotScorable, RecordError
from scorerkit.model.judge import JudgeError
from scorerkit.model.result import ScorerResult
from scorerkit.model.stage import PREPARE, RESULT_KEY
from scorerkit.steps.context import Context

if TYPE_CHECKING:
    from scorerkit.model.judge import Judge
    from scorerkit.model.plan import Guard, Plan, Step
    from scorerkit.model.run import ScorerRun


class FatalJudge(Exception):  # noqa: N818 - names what happened
    """The judge refuses everybody; carries the result of the record that met it."""

    def __init__(self, result: ScorerResult, error: JudgeError) -> None:
        super().__init__(error.message)
        self.result = result
        self.error = error


async def score_run(plan: Plan, run: ScorerRun, judge: Judge | None = None) -> ScorerResult:
    """Score one record.

    The result is a value also when the record failed or is not scorable. Raises only :class:`FatalJudge`, when the
    judge refuses every record alike, :class:`Inconclusive`, when what it answers can no longer be kept, and what
    cancels a task.
    """
    started = time.perf_counter()
    result = ScorerResult(
        run.run_id,
        metadata=run.metadata,
        scorer=plan.identity,
        params=plan.params,
        judge_digest=plan.judge_digest,
    )
    fatal: JudgeError | None = None
    try:
        await _through(plan, run, judge, result)
    except NotScorable as verdict:
        _not_scorable(plan, result, verdict)
    except RecordError as error:
        _fail(result, error)
        fatal = error if isinstance(error, JudgeError) and error.fatal else None
    except Inconclusive:  # the store can no longer be written: no matter of this record
        raise
    except Exception as error:
        _fail(result, RecordError("step-failed", f"{type(error).__name__}: {error}"))
    result.duration_ms = round((time.perf_counter() - started) * 1000, 3)
    if fatal is not None:
        raise FatalJudge(result, fatal)
    return result


def failed_record(plan: Plan, error: RecordError, run: ScorerRun | None = None) -> ScorerResult:
    """The result of a record that could not be read; ``run`` is what is known of it."""
    known = {"run_id": run.run_id, "metadata": run.metadata} if run is not None else {}
    result = ScorerResult(**known, scorer=plan.identity, params=plan.params, judge_digest=plan.judge_digest)
    _fail(result, error)
    return result


def _not_scorable(plan: Plan, result: ScorerResult, verdict: NotScorable) -> None:
    """The verdict that there is nothing to judge; a failure once there is a score, which it would take back."""
    if "generateScore" in result.completed_steps:
        message = f"{result.failed_step} says that there is nothing to judge: {verdict.reason}"
        at = next((planned.step.at for planned in plan.steps if planned.step.name == result.failed_step), None)
        fix = "say so in an earlier step, or in 'notScorable'"
        _fail(result, RecordError("step-failed", message, at=at, why="once there is a score it is too late", fix=fix))
        return
    result.status = "notScorable"
    result.not_scorable = {"step": result.failed_step, "reason": verdict.reason}
    result.failed_step = None


def _fail(result: ScorerResult, error: RecordError) -> None:
    result.status = "failed"
    result.score = result.passed = None
    result.error = {"code": error.code, "message": error.message, "at": error.at}
    if error.why:
        result.error["why"] = error.why
    if error.fix:
        result.error["fix"] = error.fix


async def _through(plan: Plan, run: ScorerRun, judge: Judge | None, result: ScorerResult) -> None:
    """The way of a record; ``result.failed_step`` always names the step that is being done."""
    if plan.shape is not None:
        run = plan.shape(run)
    if plan.prepare:
        result.failed_step = PREPARE
        for prepare in plan.prepare:
            prepared = prepare(run)
            run = await prepared if inspect.isawaitable(prepared) else prepared
        result.failed_step = None
    if plan.validate is not None:
        plan.validate(run)
    context = Context(run, plan.params, judge, result)
    if plan.guards:
        _guard(plan, context, None)
    for planned in plan.steps:
        step = planned.step
        name = result.failed_step = step.name
        ran = planned.when is None or bool(planned.when(context.names))
        value = await step.execute(context) if ran else None
        _keep(plan, context, step, value)
        if ran:
            result.completed_steps.append(name)
        if plan.guards and name in RESULT_KEY and "score" not in context.names:
            _guard(plan, context, name)
    result.failed_step = None
    result.status = "scored"
    result.score = context.names["score"]
    if plan.threshold is not None:
        result.passed = plan.threshold.contains(context.names["score"])


def _keep(plan: Plan, context: Context, step: Step, value: Any) -> None:
    """Add a step's result to what later steps and the record see."""
    name = step.name
    if name == "generateReason":
        context.result.reason = value
        return
    context.result.steps[name] = value
    context.names["results"][RESULT_KEY[name]] = value
    if name == "generateScore":
        if plan.range is not None and not plan.range.contains(value):
            low, high = plan.range
            message = f"the score {describe(value)} is outside the range {_side(low)} to {_side(high)}"
            raise RecordError("out-of-range", message, at=step.at, why="a score is never clamped")
        context.names["score"] = value


def _side(bound: float | None) -> str:
    return "…" if bound is None else f"{bound:g}"


def _guard(plan: Plan, context: Context, behind: str | None) -> None:
    """The ``notScorable`` entries whose names have just become known."""
    for guard in plan.guards:
        if guard.after == behind and _holds(guard, context):
            raise NotScorable(guard.reason)


def _holds(guard: Guard, context: Context) -> bool:
    """Whether an entry fires; one that fails does so outside all steps."""
    try:
        return bool(guard.when(context.names))
    except RecordError:
        context.result.failed_step = None
        raise
