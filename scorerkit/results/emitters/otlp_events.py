"""OTLP in its JSON form: events ``gen_ai.evaluation.result``, as log records tied to the span that was scored.

A file holds one export request a line, as OpenTelemetry's file exporter writes them. To a collector they are sent when
all results are there, so that a run that is interrupted and taken up again sends each of them once.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
from typing import TYPE_CHECKING, Any

import orjson

from scorerkit import __version__
from scorerkit.results.events import EVENT, evaluation_attributes
from scorerkit.results.partial import PartialFile
from scorerkit.results.row import serialise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorerkit.model.json import Json
    from scorerkit.results.emitters.collector import Collector
    from scorerkit.results.sinks import Sink

AT_A_TIME = 512
"""Events in a request: what OpenTelemetry's own exporters send at a time."""
INFO = 9
"""Of OTLP's severity numbers."""
SAMPLED = 1
_IDS = {"traceId": re.compile("[0-9a-f]{32}"), "spanId": re.compile("[0-9a-f]{16}")}


def open_target(place: str) -> Sink:
    """Of a file, or of the address of a collector (OTLP over HTTP).

    Raises:
        ScorerkitError: the file cannot be made, or the address is none that can be sent to.
    """
    if "://" not in place:
        return _File(place)
    from scorerkit.results.emitters.collector import Collector

    return _Sending(Collector(place))


class _Requests:
    """Makes a request, one line, of every so many results."""

    def __init__(self, take: Callable[[bytes], object]) -> None:
        self._take = take
        self._events: list[Json] = []

    def write(self, line: bytes) -> None:
        self._events.append(event_of(orjson.loads(line), time.time_ns()))
        if len(self._events) >= AT_A_TIME:
            self.flush()

    def flush(self) -> None:
        if self._events:
            self._take(serialise(request_of(self._events)))
            self._events = []


class _File(_Requests):
    """Requests as lines."""

    def __init__(self, place: str) -> None:
        self._file = PartialFile(place)
        super().__init__(self._file.write)

    def finish(self) -> None:
        self.flush()
        self._file.finish()

    def abort(self) -> None:
        with contextlib.suppress(Exception):  # the experiment has failed already, and says why
            self.flush()
        self._file.abort()


class _Sending(_Requests):
    """Keeps requests in a temporary file until all are there."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end or when it is let go
        super().__init__(self._file.write)

    def finish(self) -> None:
        self.flush()
        self._file.seek(0)
        with self._file:
            self._collector.send(self._file)

    def abort(self) -> None:
        self._file.close()


def event_of(row: Mapping[str, Json], now: int) -> dict[str, Json]:
    """A result as a log record of OTLP; ``now`` is in nanoseconds. Results of no trace belong to no span."""
    attributes = evaluation_attributes(row)
    attributes["scorerkit.run.id"] = row["runId"]
    attributes["scorerkit.experiment.id"] = row["experimentId"]
    attributes["scorerkit.scorer.digest"] = row["scorer"].get("digest")
    metadata = row.get("metadata")
    given = metadata if isinstance(metadata, dict) else {}
    ids = {
        key: given[key] for key, form in _IDS.items() if isinstance(given.get(key), str) and form.fullmatch(given[key])
    }
    event: dict[str, Json] = {
        "timeUnixNano": str(now),
        "observedTimeUnixNano": str(now),
        "severityNumber": INFO,
        "eventName": EVENT,
        "attributes": _pairs(attributes),
    }
    return event | ids | {"flags": SAMPLED} if "traceId" in ids else event


def request_of(events: list[Json]) -> dict[str, Json]:
    """An ``ExportLogsServiceRequest``."""
    scope = {"scope": {"name": "scorerkit", "version": __version__}, "logRecords": events}
    return {"resourceLogs": [{"resource": {"attributes": _pairs({"service.name": "scorerkit"})}, "scopeLogs": [scope]}]}


def _pairs(attributes: Mapping[str, Any]) -> list[Json]:
    """Attributes as OTLP has them: numbers are of a kind, what is absent is left out."""
    return [
        {"key": key, "value": {"doubleValue": value} if isinstance(value, float) else {"stringValue": value}}
        for key, value in attributes.items()
        if value is not None
    ]
