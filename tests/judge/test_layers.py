from datetime import UTC, datetime

import pytest

from scorerkit.judge.layers import layers

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


def only(error):
    (layer,) = layers(error, NOW)
    return layer


def with_attributes(**fields):
    return type("SdkError", (Exception,), fields)("shown")


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (with_attributes(status_code=503), 503),
        (with_attributes(code=429), 429),
        (with_attributes(status=404), 404),
        ({"statusCode": 500}, 500),
        ({"response": {"status_code": 418}}, 418),
        ({"status": "RESOURCE_EXHAUSTED", "code": 429}, 429),
        ({"status": True}, None),
        ({"code": 7}, None),
        ("text", None),
    ],
)
def test_the_status_is_found_under_any_name(error, status):
    assert only(error).status == status


def test_the_code_may_be_in_the_body():
    assert only(with_attributes(code=None, body={"code": "busy"})).code == "busy"
    assert only(with_attributes(body={"error": {"type": "overloaded"}})).code == "overloaded"


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7000),
        ({"Retry-After-Ms": "150", "retry-after": "9"}, 150),
        ({"retry-after-ms": "1.5", "retry-after": "3"}, 3000),
        ({"retry-after": "Mon, 05 Jan 2026 12:00:09 GMT"}, 9000),
        ({"retry-after": "2026-01-05T12:00:04Z"}, 4000),
        ({"retry-after": "Mon, 05 Jan 2026 11:00:00 GMT"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "1e3"}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": "\u0665"}, None),
        ({"retry-after": 5}, None),
        ({}, None),
    ],
)
def test_the_wait_is_read_from_headers(headers, wait):
    assert only({"headers": headers}).retry_after_ms == wait
    assert only({"response": {"headers": headers}}).retry_after_ms == wait


def test_causes_are_walked_once_even_in_a_circle():
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    assert [layer.message for layer in layers(first)] == ["a", "b"]


def test_an_endless_chain_is_cut():
    error = None
    for _ in range(100):
        error = {"cause": error}
    assert len(layers(error)) == 20
