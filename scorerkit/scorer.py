"""The Python door: scorers as objects, and one record at a time."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scorerkit.build.judges import NOBODY
from scorerkit.builder import Draft, plan_of
from scorerkit.conversion import kind_of, to_json
from scorerkit.errors import InvalidScorer, ScorerkitError
from scorerkit.library import find_scorers
from scorerkit.loader import check_file, load_plan, open_project
from scorerkit.model.problem import Place, Problem
from scorerkit.model.run import ScorerRun
from scorerkit.pipeline import FatalJudge, score_run

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from scorerkit.model.judge import Judge
    from scorerkit.model.plan import Plan
    from scorerkit.model.result import ScorerResult

T = TypeVar("T")


def run_to_end(work: Coroutine[Any, Any, T], *, instead: str = "await the form without _sync here") -> T:
    """Run to the end from code that is not async.

    Raises:
        TypeError: called from async code, which must await the async form.
    """
    if not _is_async():
        return asyncio.run(work)
    work.close()
    message = f"this is the form for code that is not async; {instead}"
    raise TypeError(message)


def _is_async() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _named(run_id: Any) -> str | None:
    if run_id is None or isinstance(run_id, str):
        return run_id
    message = f"'run_id' is text, not {kind_of(run_id)}"
    raise TypeError(message)


def _given(name: str, value: Any) -> Any:
    """A field of a record as JSON."""
    try:
        return to_json(value)
    except (TypeError, ValueError) as error:
        message = f"'{name}' cannot be used: {error}"
        raise TypeError(message) from error


@dataclass(frozen=True, slots=True)
class Scorer:
    """A scorer that is valid and ready. From a file and from the chain alike.

    Attributes:
        judge: who answers prompt steps; None means the model that the scorer names.
    """

    plan: Plan
    judge: Judge | None = None

    @property
    def id(self) -> str:
        return self.plan.id

    @property
    def digest(self) -> str | None:
        """Of everything that can move a score; None where code that is not in files takes part."""
        return self.plan.digest

    async def run(
        self,
        *,
        output: Any,
        input: Any = None,  # noqa: A002 - the reference's name
        ground_truth: Any = None,
        expected_trajectory: Any = None,
        run_id: str | None = None,
        request_context: Any = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> ScorerResult:
        """Score one record. A record that fails, or has nothing to judge, is a result too (``status``).

        Raises:
            MissingKey: the judge's key is not set.
            TypeError: a value is not JSON and cannot be made so.
        """
        record = ScorerRun(
            _given("input", input),
            _given("output", output),
            _given("ground_truth", ground_truth),
            _given("expected_trajectory", expected_trajectory),
            _named(run_id),
            _given("request_context", request_context),
            _given("metadata", metadata),
        )
        judge, opened = await open_judge_of([self])
        try:
            return await score_run(self.plan, record, self.judge or judge)
        except FatalJudge as fatal:
            return fatal.result
        finally:
            if opened is not None:
                await opened.close()

    def run_sync(self, **fields: Any) -> ScorerResult:
        """:meth:`run` for code that is not async."""
        return run_to_end(self.run(**fields))


@dataclass(frozen=True, slots=True)
class ScorerBuilder:
    """A scorer in the making. Every step gives a new builder; use it like a :class:`Scorer` when it has a score."""

    draft: Draft
    judge: Judge | None = None

    def preprocess(self, function: Callable[..., Any] | None = None, **step: Any) -> ScorerBuilder:
        """Add the step ``preprocess``: a function, or ``prompt`` and ``output_schema``, or ``expression``."""
        return self._with("preprocess", function, step)

    def analyze(self, function: Callable[..., Any] | None = None, **step: Any) -> ScorerBuilder:
        """Add the step ``analyze``, as :meth:`preprocess`."""
        return self._with("analyze", function, step)

    def generate_score(self, function: Callable[..., Any] | None = None, **step: Any) -> ScorerBuilder:
        """Add the step that makes the number; with ``prompt`` also ``levels`` or ``calculate_score``."""
        return self._with("generateScore", function, step)

    def generate_reason(self, function: Callable[..., Any] | None = None, **step: Any) -> ScorerBuilder:
        """Add the step that says why."""
        return self._with("generateReason", function, step)

    def _with(self, name: str, function: Callable[..., Any] | None, step: Mapping[str, Any]) -> ScorerBuilder:
        return replace(self, draft=self.draft.with_step(name, function, step))

    def build(self) -> Scorer:
        """The finished scorer.

        Raises:
            InvalidScorer: with all problems.
        """
        return Scorer(_answered(plan_of(self.draft, open_project()), self.judge), self.judge)

    async def run(self, **fields: Any) -> ScorerResult:
        """:meth:`Scorer.run` of the finished scorer."""
        return await self.build().run(**fields)

    def run_sync(self, **fields: Any) -> ScorerResult:
        """:meth:`Scorer.run_sync` of the finished scorer."""
        return self.build().run_sync(**fields)


def _answered(plan: Plan, judge: Judge | None) -> Plan:
    """The plan, if somebody answers its prompts."""
    if judge is None and any(config.target.model == NOBODY for config in plan.configs.values()):
        message = f"'{plan.id}' has a prompt, but nobody to answer it"
        fix = "name a model in 'judge', or hand a judge over"
        raise InvalidScorer([Problem("no-judge", plan.source or plan.id, Place(), message, fix=fix)])
    return plan


def create_scorer(*, id: str, judge: Any = None, **keys: Any) -> ScorerBuilder:  # noqa: A002 - the reference's name
    """Begin a scorer in Python; ``keys`` are the top-level keys of a file in snake_case.

    ``judge`` is a mapping of judge fields, or any object with the :class:`Judge` protocol.
    """
    own = judge if hasattr(judge, "ask") else None
    fields = {"id": id, **keys, "judge": None if own is not None else judge}
    return ScorerBuilder(Draft({}).with_top(fields), own)


def load_scorer(
    source: str | os.PathLike[str],
    *,
    params: Mapping[str, Any] | None = None,
    judge: Any = None,
    judge_model: str | None = None,
    base_url: str | None = None,
    project: str | os.PathLike[str] | None = None,
    allow_functions: Sequence[str] = (),
) -> Scorer:
    """Load a scorer from a path or by its id.

    Raises:
        InvalidScorer: with all problems of the file.
        ScorerkitError: a param is missing or wrong.
    """
    if judge is not None and not hasattr(judge, "ask"):
        message = f"a judge has 'ask' and 'close'; this is {kind_of(judge)}. A model's name is 'judge_model'"
        raise TypeError(message)
    settings = open_project(
        Path(project) if project is not None else None,
        judge_model=judge_model,
        base_url=base_url,
        allow_functions=tuple(allow_functions),
        params=dict(params or {}),
    )
    found = find_scorers([os.fspath(source)], settings)
    if len(found) != 1:
        message = f"'{os.fspath(source)}' means {len(found)} scorers"
        raise ScorerkitError(message, fix="name one file, or use scorerkit.score")
    checked = check_file(found[0].file, found[0].shown, settings)
    errors = checked.errors
    if errors:
        raise InvalidScorer(errors)
    return Scorer(_answered(load_plan(checked, settings, own_judge=True), judge), judge)


async def open_judge_of(scorers: Sequence[Scorer]) -> tuple[Judge | None, Judge | None]:
    """The judge of the scorers that bring none of their own: to ask, and to close."""
    from scorerkit.judge import open_judge

    plans = [scorer.plan for scorer in scorers if scorer.judge is None and scorer.plan.judged]
    if not plans:
        return None, None
    recordings = [Path(name) for plan in plans for name in plan.recordings]
    judge = open_judge(replay=recordings or None)
    judge.require_keys([config for plan in plans for config in plan.configs.values()])
    return judge, judge
