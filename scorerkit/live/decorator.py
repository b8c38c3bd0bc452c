"""``@scored``: a function or workflow step whose answers are scored after it has given them."""

from __future__ import annotations

import functools
import inspect
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from scorerkit.conversion import to_json
from scorerkit.live.background import Background, Health, Job, Sink
from scorerkit.live.decision import Decision, Filter, Sampling, flattened
from scorerkit.live.scorers import scorer_of
from scorerkit.model.run import ScorerRun

if TYPE_CHECKING:
    from scorerkit.scorer import Scorer

F = TypeVar("F", bound=Callable[..., Any])


def scored(
    scorer: Any,
    *,
    sampling: Sampling = None,
    filter: Filter = None,  # noqa: A002 - the reference's name
    sink: Sink,
    background: Background | None = None,
    request_context: Callable[[], Any] | None = None,
) -> Callable[[F], F]:
    """Score the answers of a sync or async function: its arguments are the input, what it returns the output.

    Args:
        scorer: an object, a path or an id.
        sampling: the share of calls that are scored; absent means all. Decided by the run id.
        filter: an expression over ``entity`` (``{id, name}`` of the function), ``source`` and ``requestContext``.
        sink: gets every result.
        background: a queue to share between functions; one of its own otherwise.
        request_context: gives the context of the call that is going on.

    The function gets ``health`` and ``background``. A call that raises is not scored.
    """
    target = scorer_of(scorer)
    decision = Decision(sampling, filter)
    queue = background or Background()

    def decorate(function: F) -> F:
        scoring = _Scoring(function, target, decision, queue, sink, request_context)
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def wrapper(*args: Any, **kwargs: Any) -> Any:
                answer = await function(*args, **kwargs)
                scoring.offer(args, kwargs, answer)
                return answer
        else:

            @functools.wraps(function)
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                answer = function(*args, **kwargs)
                scoring.offer(args, kwargs, answer)
                return answer

        wrapper.health, wrapper.background = scoring.health, queue  # type: ignore[attr-defined]
        return wrapper  # type: ignore[return-value]

    return decorate


class _Scoring:
    """What one decorated function needs to have its answers scored."""

    def __init__(
        self,
        function: Callable[..., Any],
        scorer: Scorer,
        decision: Decision,
        background: Background,
        sink: Sink,
        request_context: Callable[[], Any] | None,
    ) -> None:
        self.health = Health()
        self._scorer = scorer
        self._decision = decision
        self._background = background
        self._sink = sink
        self._request_context = request_context
        self._signature = inspect.signature(function)
        self._entity = {"id": f"{function.__module__}.{function.__qualname__}", "name": function.__name__}

    def offer(self, args: tuple[Any, ...], kwargs: dict[str, Any], answer: Any) -> None:
        """Decide and queue; whatever goes wrong is a counter."""
        health = self.health
        health.triggered += 1
        try:
            run_id = uuid.uuid4().hex
            if not self._decision.takes(run_id):
                return
            context = self._request_context() if self._request_context else None
            about = {
                "entity": self._entity,
                "source": "LIVE",
                "requestContext": {**(context or {}), **flattened(context)},
            }
            if not self._decision.passes(about):
                return
            health.sampled += 1
            given = self._signature.bind(*args, **kwargs).arguments
            job = Job(self._scorer, health, lambda: _run(given, answer, run_id, context), self._sink)
            self._background.offer(job)
        except Exception as error:
            health.error(f"{type(error).__name__}: {error}")


def _run(given: dict[str, Any], answer: Any, run_id: str, context: Any) -> ScorerRun:
    """One argument is the input itself; several are an object."""
    values = list(given.values())
    return ScorerRun(
        input=to_json(values[0] if len(values) == 1 else given),
        output=to_json(answer),
        run_id=run_id,
        request_context=to_json(context),
    )
