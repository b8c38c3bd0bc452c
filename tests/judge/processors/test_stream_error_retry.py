import asyncio
import json
import math
from datetime import datetime
from pathlib import Path

import pytest

from scorerkit.judge.failure import normalise
from scorerkit.judge.processors import build_processor, default_error_processors

VECTORS = Path(__file__).parents[1] / "vectors" / "retry.jsonl"
DECISIONS = [row for row in map(json.loads, VECTORS.read_text().splitlines()) if row["function"] == "streamErrorRetry"]


class ApiError(Exception):
    pass


def error_of(recipe):
    """The error that a vector describes: an exception with attributes, a mapping, or plain text."""
    if not isinstance(recipe, dict):
        return recipe
    fields = {key: value for key, value in recipe.items() if key not in {"kind", "cause", "cyclic"}}
    error = dict(fields) if recipe["kind"] == "object" else ApiError(fields.get("message", ""))
    if "cause" in recipe:
        fields["cause"] = error_of(recipe["cause"])
    if recipe.get("cyclic"):
        fields["cause"] = error
    error.update(fields) if isinstance(error, dict) else error.__dict__.update(fields)
    return error


def option(value):
    if isinstance(value, dict) and "expression" in value:
        return lambda count: eval(value["expression"], {"retryCount": count})
    if isinstance(value, dict) and "$number" in value:
        return {"NaN": math.nan, "Infinity": math.inf}[value["$number"]]
    return value


def matcher(entry):
    entry = entry if isinstance(entry, dict) else {"match": entry}
    match = entry["match"]
    policy = {key: option(value) for key, value in entry.items() if key != "match"}
    if match == "isBadRequestError":
        return {"status": [400], **policy}
    if match == "always" or "always" in match:
        return {"function": lambda _error: True, **policy}
    if "messageRegex" in match:
        return {"match": f"(?i){match['messageRegex']}", **policy}
    return {**match, **policy}


def decide(options, error, count=0, now=None):
    processor = build_processor("error", "streamErrorRetry", options)
    return asyncio.run(processor.process_api_error(normalise(error, now=now), count))


@pytest.mark.parametrize("row", DECISIONS, ids=[row["id"] for row in DECISIONS])
def test_decisions_are_those_of_the_reference(row):
    options = {name: option(value) for name, value in row["params"].items() if name != "matchers"}
    if "matchers" in row["params"]:
        options["matchers"] = [matcher(entry) for entry in row["params"]["matchers"]]
    now = datetime.fromisoformat(row["run"]["now"])
    decision = decide(options, error_of(row["run"]["error"]), row["run"]["retryCount"], now)
    assert (decision is not None) is row["expected"]["retry"]
    assert (decision.delay_ms if decision else 0) == row["expected"]["delayMs"]


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (TimeoutError(), True),
        (ConnectionResetError(), True),
        (type("APIConnectionError", (Exception,), {})(), True),
        (type("APITimeoutError", (Exception,), {})(), True),
        (ValueError("no"), False),
    ],
)
def test_broken_connections_and_time_outs_are_tried_again(error, again):
    assert (decide({}, error) is not None) is again


@pytest.mark.parametrize(
    ("status", "said", "again"), [(400, "true", True), (503, "false", False), (503, "maybe", True), (200, "true", True)]
)
def test_the_providers_own_word_wins(status, said, again):
    error = {"status": status, "headers": {"X-Should-Retry": said}}
    assert (decide({"retryUnknownErrors": said == "false"}, error) is not None) is again


@pytest.mark.parametrize(
    ("entry", "matches"),
    [
        ("(?i)overlo+ad", True),
        ({"match": "^Overload"}, True),
        ({"match": "nothing"}, False),
        ({"code": ["busy"]}, True),
        ({"code": ["busy"], "status": [400]}, False),
        ({"status": [418], "function": lambda error: error["code"] == "busy"}, True),
        (lambda error: error["status"] == 418, True),
    ],
)
def test_matchers_name_further_errors(entry, matches):
    error = {"status": 418, "code": "busy", "message": "Overload"}
    assert (decide({"matchers": [entry]}, error) is not None) is matches


def test_a_pattern_that_is_not_linear_is_refused():
    with pytest.raises(ValueError, match="cannot be used"):
        build_processor("error", "streamErrorRetry", {"matchers": ["(?=a)"]})


def test_jitter_only_lengthens_the_wait():
    waits = {decide({"delayMs": 100, "jitter": 0.5}, TimeoutError()).delay_ms for _ in range(20)}
    assert len(waits) > 1
    assert all(100 <= wait <= 150 for wait in waits)


def test_a_delay_may_be_computed_by_an_async_function():
    async def delay(count):
        return 7 * (count + 1)

    assert decide({"delayMs": delay, "maxRetries": 2}, TimeoutError(), 1).delay_ms == 14


def test_the_default_waits_500_and_1000_ms_and_stops():
    (processor,) = default_error_processors()
    failure = normalise(TimeoutError())
    waits = [asyncio.run(processor.process_api_error(failure, count)) for count in range(3)]
    assert [wait and wait.delay_ms for wait in waits] == [500, 1000, None]
