"""``assert_score``: one record of one scorer, with given answers of the judge, compared as tests in files are."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, Required, TypeAlias, TypedDict, TypeVar, Unpack

from scorerkit import shipped
from scorerkit.conversion import kind_of
from scorerkit.errors import ScorerkitError
from scorerkit.judge.scripted import ScriptedTransport, scripted_judge
from scorerkit.model.run import RUN_KEYS
from scorerkit.model.stage import STEPS
from scorerkit.scorer import Scorer, ScorerBuilder, load_scorer, run_to_end
from scorerkit.suggest import suggestion
from scorerkit.trials import outcome

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Judge
    from scorerkit.model.result import ScorerResult

P = ParamSpec("P")
T = TypeVar("T")

Bounds: TypeAlias = tuple[float | None, float | None]
Expected: TypeAlias = float | str | Bounds | Mapping[str, Any]
"""A score; a status; the bounds of a score, None where there is none; or what ``expect`` says in a file."""


class WrongUseError(TypeError):
    """What was handed over cannot be meant."""


class Record(TypedDict, total=False):
    """The fields of a record, as :meth:`Scorer.run` takes them."""

    output: Required[Any]
    input: Any
    ground_truth: Any
    expected_trajectory: Any
    run_id: str | None
    request_context: Any
    metadata: Mapping[str, Any] | None


async def assert_score_async(
    scorer: Scorer | ScorerBuilder | str | os.PathLike[str],
    expected: Expected,
    *,
    answers: Mapping[str, Json] | None = None,
    judge: Judge | None = None,
    params: Mapping[str, Any] | None = None,
    tolerance: float | None = None,
    **record: Unpack[Record],
) -> ScorerResult:
    """Score one record and fail where something else comes out than expected; the result is for further checks.

    Nobody is asked who was not named: without ``answers`` and ``judge`` a prompt is answered by the judge that the
    scorer was made with, or fails.

    Args:
        scorer: a scorer or its builder; or a path or id, with ``params``.
        expected: a number is the score; ``"scored"``, ``"notScorable"`` or ``"failed"`` the status; ``(low, high)``
            the bounds of the score, None where there is none; a mapping is ``expect`` as in a file.
        answers: step → what the judge is taken to answer, as in the tests of a file.
        judge: who answers instead.
        params: of a path or id.
        tolerance: how far the score may be off; 1e-9 without it.
        record: ``output`` and the other fields of :meth:`Scorer.run`.

    Raises:
        AssertionError: with every difference, in the words of ``scorerkit test``.
        InvalidScorer: with all problems of the file.
        TypeError: an expectation that is none, answers beside a judge, or params beside a finished scorer.
    """
    __tracebackhide__ = True
    expect = _expectation(expected, tolerance)
    _check_names(record, answers or {})
    if answers is not None and judge is not None:
        _refuse("'answers' are given, and a 'judge' too: give one of them")
    transport = ScriptedTransport(answers or {})
    own = scorer.judge if isinstance(scorer, (Scorer, ScorerBuilder)) and answers is None else None
    ready = _answered(scorer, params, judge or own or scripted_judge(transport))
    result = await ready.run(**record)
    differences = outcome(expect, result, transport.missing)
    if differences:
        raise AssertionError("\n  ".join([f"{ready.id}:", *differences]))
    return result


def in_plain_code(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """The same for code that is not async."""

    @wraps(work)
    def to_end(*arguments: P.args, **named: P.kwargs) -> T:
        __tracebackhide__ = True
        try:
            return run_to_end(work(*arguments, **named), instead=f"await {work.__name__} here")
        except (AssertionError, WrongUseError, ScorerkitError) as failed:
            raise failed.with_traceback(None) from None  # the event loop's frames say nothing about a scorer

    return to_end


assert_score = in_plain_code(assert_score_async)
"""The short name is the one that is called, not awaited: a forgotten ``await`` would let a test pass."""


def _check_names(record: Mapping[str, Any], answers: Mapping[str, Json]) -> None:
    """Fields of the record and steps that answers are given for; Python's names are those of files in snake_case."""
    for name in record:
        if name not in Record.__annotations__:
            known = RUN_KEYS.get(name)
            fix = f"did you mean '{known}'?" if known else suggestion(name, Record.__annotations__)
            _refuse(f"a record has no '{name}'; {fix}")
    if "output" not in record:
        _refuse("a record needs 'output': what is scored")
    for step in answers:
        if step not in STEPS:
            _refuse(f"answers: there is no step '{step}'; {suggestion(step, STEPS)}")


def _answered(scorer: Any, params: Mapping[str, Any] | None, judge: Judge) -> Scorer:
    """The scorer, with this judge."""
    if isinstance(scorer, (str, os.PathLike)):
        return load_scorer(scorer, params=params, judge=judge)
    if not isinstance(scorer, (Scorer, ScorerBuilder)):
        _refuse(f"a scorer, its builder, a path or an id is needed, not {kind_of(scorer)}")
    if params is not None:
        _refuse("'params' go with a path or an id; this scorer is finished")
    answered = replace(scorer, judge=judge)
    return answered if isinstance(answered, Scorer) else answered.build()


def _expectation(expected: Any, tolerance: float | None) -> dict[str, Json]:
    expect = _keys(expected)
    if tolerance is None:
        return expect
    if "score" not in expect:
        _refuse("'tolerance' goes with a score, and none is expected")
    return {**expect, "tolerance": tolerance}


def _keys(expected: Any) -> dict[str, Json]:
    """What is expected, with the keys that a file has for it."""
    if isinstance(expected, Mapping):
        return _as_in_files(dict(expected))
    if isinstance(expected, (int, float)):
        return {"score": expected}
    if isinstance(expected, str):
        return _as_in_files({"status": expected})
    if isinstance(expected, (tuple, list)) and len(expected) == 2:
        low, high = expected
        return {"scoreBetween": [float("-inf") if low is None else low, float("inf") if high is None else high]}
    return _refuse(f"a score, a status, bounds of a score or a mapping is expected, not {kind_of(expected)}")


def _as_in_files(expect: dict[str, Json]) -> dict[str, Json]:
    import jsonschema_rs

    schema = shipped.schema("scorer")["$defs"]["test"]["properties"]["expect"]
    for key in expect:
        if key not in schema["properties"]:
            _refuse(f"'{key}' is nothing that can be expected; {suggestion(key, schema['properties'])}")
    status = expect.get("status")
    known = schema["properties"]["status"]["enum"]
    if isinstance(status, str) and status not in known:
        _refuse(f"there is no status '{status}'; {suggestion(status, known)}")
    for error in jsonschema_rs.Draft202012Validator(schema).iter_errors(expect):
        _refuse(f"{'.'.join(['expected', *map(str, error.instance_path)])}: {error.message}")
    return expect


def _refuse(message: str) -> NoReturn:
    raise WrongUseError(message)
