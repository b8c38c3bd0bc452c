"""Calling an author's function: which arguments it gets, and what its failure becomes."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import threading
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from scorerkit.conversion import copy_json
from scorerkit.errors import NotScorable, RecordError
from scorerkit.steps.context import ResultsView, RunView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import FrameType

    from scorerkit.model.json import Json
    from scorerkit.steps.context import Context

MOST_WORDS = 2000
"""Characters of an exception's message that a result keeps."""

Getter = Callable[["Context"], Any]

ARGUMENTS: dict[str, Getter] = {
    "run": lambda context: RunView(context.names["run"]),
    "results": lambda context: ResultsView(context.names["results"]),
    "params": lambda context: copy_json(context.names["params"]),
    "score": lambda context: context.names["score"],
    "analyze_step_result": lambda context: copy_json(context.names["results"].get("analyzeStepResult")),
    "judge_output": lambda context: copy_json(context.names["judgeOutput"]),
}
"""What a function may declare, and where it comes from."""

BASE = ("run", "results", "params")
AVAILABLE: dict[str, tuple[str, ...]] = {
    "prepareRun": ("run", "params"),
    "preprocess": BASE,
    "analyze": BASE,
    "generateScore": BASE,
    "generateReason": (*BASE, "score"),
    "calculateScore": (*BASE, "analyze_step_result", "judge_output"),
}
"""The arguments that exist in each place of a scorer."""


class Call:
    """A function with its arguments resolved once: at run time each is one look-up.

    ``declared`` are the parameter names of the function; those in ``given`` (the ``with`` of the file) are copied for
    every call, so that a function cannot change them.
    """

    __slots__ = ("_getters", "_given", "_given_changes", "function", "in_thread", "is_async", "name")

    def __init__(
        self,
        function: Callable[..., Any],
        declared: Iterable[str],
        place: str,
        *,
        name: str = "",
        given: Mapping[str, Json] | None = None,
        in_thread: bool = False,
    ) -> None:
        self.function = function
        self.name = name or getattr(function, "__qualname__", repr(function))
        self.in_thread = in_thread
        self.is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004 - an object whose __call__ is async
        )
        self._given = dict(given or {})
        self._given_changes = any(isinstance(value, (dict, list)) for value in self._given.values())
        available = AVAILABLE[place]
        self._getters = tuple(
            (name, ARGUMENTS[name]) for name in declared if name in available and name not in self._given
        )

    async def __call__(self, context: Context) -> Any:
        """Call the function for one record; whatever it raises fails the record, never the run."""
        arguments = {name: get(context) for name, get in self._getters}
        if self._given:
            arguments |= copy_json(self._given) if self._given_changes else self._given
        try:
            if self.in_thread and not self.is_async:
                return await _in_thread(self.function, arguments)
            value = self.function(**arguments)
            if self.is_async or inspect.isawaitable(value):
                value = await value
        except (RecordError, NotScorable):
            raise
        except (KeyboardInterrupt, GeneratorExit):  # the caller's, and the event loop's when it lets go
            raise
        except BaseException as error:  # user code may raise anything
            if isinstance(error, asyncio.CancelledError) and _is_cancelled():
                raise
            raise failed(self.name, error) from error
        return value


def _is_cancelled() -> bool:
    """Whether somebody stops this record, which is no failure of the function."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _in_thread(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Call in a thread of its own, which nobody waits for once the experiment has stopped: no pool ends at once."""
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

    def work() -> None:
        outcome: tuple[Any, BaseException | None]
        try:
            outcome = context.run(function, **arguments), None
        except BaseException as error:  # raised again by whoever waits; a future takes no StopIteration
            outcome = None, error
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(hand_over, outcome)

    def hand_over(outcome: tuple[Any, BaseException | None]) -> None:
        if not waiting.done():
            waiting.set_result(outcome)

    threading.Thread(target=work, daemon=True, name="scorerkit-step").start()
    value, error = await waiting
    if error is not None:
        raise error
    return value


def failed(name: str, error: BaseException) -> RecordError:
    """``step-failed`` with the exception's own words, cut to a page, and the author's line it came from."""
    words = _words_of(error)
    return RecordError("step-failed", f"{name} raised {type(error).__name__}: {words}", why=_raised_in(error))


def _raised_in(error: BaseException) -> str | None:
    """The deepest line of the author's own package: what a library does below it says less."""
    frames = [frame for frame in _frames(error) if frame[0].f_globals.get("__name__") != __name__]
    if not frames:
        return None
    own = _package(frames[0][0])
    frame, line = next(each for each in reversed(frames) if _package(each[0]) == own)
    return f"raised in {frame.f_code.co_name}, {_file(frame)}:{line}"


def _frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _file(frame: FrameType) -> str:
    """The file as its module is imported, wherever that is: ``scorers/tone.py``."""
    file = PurePath(frame.f_code.co_filename)
    module = str(frame.f_globals.get("__name__", "")).split(".")
    parts = file.with_suffix("").parts
    depth = len(module) + (parts[-1:] == ("__init__",))
    inside = parts[-depth:] in (tuple(module), (*module, "__init__"))
    return PurePath(*file.parts[-depth:]).as_posix() if inside else file.name


def _words_of(error: BaseException) -> str:
    try:
        words = str(error)
    except Exception as another:  # an author's own exception may fail to say what it is
        words = f"its message cannot be shown: {type(another).__name__}"
    return f"{words[:MOST_WORDS]}…" if len(words) > MOST_WORDS else words or "no message"
