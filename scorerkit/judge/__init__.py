"""The judge: answers prompt steps, live through instructor or from recordings.

Importing this package loads no provider's library; the first client does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from scorerkit.judge.format import AnswerFormat, levels_format, schema_format, score_format
from scorerkit.judge.processors import Refuse, Retry, build_processor, default_error_processors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from scorerkit.judge.cache import Cache
    from scorerkit.judge.limits import Limits
    from scorerkit.judge.model_judge import ModelJudge
    from scorerkit.judge.transport import Transport


def open_judge(
    *,
    record: Path | None = None,
    replay: Sequence[Path] | None = None,
    replay_missing: Literal["fail", "live"] = "fail",
    cache: Cache | None = None,
    limits: Limits | None = None,
    log: Callable[[dict[str, Any]], None] | None = None,
) -> ModelJudge:
    """A judge over any number of targets; clients are built when a target is first asked.

    Args:
        record: a recording to write or to add to when the judge is closed.
        replay: recordings to answer from; neither key nor network is needed then.
        replay_missing: what happens to a request that is in none of them.
        cache: where usable answers are kept between runs.
        limits: what ends the experiment: so many requests to providers, so much money; counted in it.
        log: gets an event for every request to a provider.

    Raises:
        ScorerkitError: a recording that cannot be used, as ``path:line``.
    """
    from scorerkit.judge.events import LoggedTransport
    from scorerkit.judge.instructor_client import InstructorTransport
    from scorerkit.judge.limits import LimitedTransport
    from scorerkit.judge.model_judge import ModelJudge
    from scorerkit.judge.recording import Recordings
    from scorerkit.judge.replay import RecordingTransport, ReplayTransport
    from scorerkit.judge.secrets import Redactor

    redactor = Redactor()
    live = InstructorTransport(redactor)
    transport: Transport = live
    if log is not None:
        transport = LoggedTransport(transport, redactor, log)
    if limits is not None:
        transport = LimitedTransport(transport, limits)
    if replay:
        transport = ReplayTransport(Recordings.load(replay), transport if replay_missing == "live" else None)
    if record:
        transport = RecordingTransport(transport, record, redactor)
    return ModelJudge(transport, redactor, None if replay else live, cache)


__all__ = [
    "AnswerFormat",
    "Refuse",
    "Retry",
    "build_processor",
    "default_error_processors",
    "levels_format",
    "open_judge",
    "schema_format",
    "score_format",
]
