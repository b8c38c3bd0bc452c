import pytest

from scorerkit.judge.failure import is_authorisation, normalise


def api_error(status, message="it failed", **more):
    body = {"message": message, **more}
    return type("ApiError", (Exception,), {"status_code": status, "body": body})(f"Error code: {status} - {body}")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (api_error(429), "rate-limit"),
        (api_error(500), "server"),
        (api_error(529), "server"),
        (api_error(409), "server"),
        (api_error(408), "timeout"),
        (TimeoutError("slow"), "timeout"),
        (type("APITimeoutError", (Exception,), {})(), "timeout"),
        (ConnectionResetError(), "connection"),
        (type("APIConnectionError", (Exception,), {})("Connection error."), "connection"),
        (api_error(401), "auth"),
        (api_error(403), "auth"),
        (api_error(404), "unknown-model"),
        (api_error(400, code="model_not_found"), "unknown-model"),
        (api_error(400), "rejected"),
        (api_error(422), "rejected"),
        (api_error(402), "rejected"),
        (api_error(400, "This model's maximum context length is 8192 tokens"), "context-overflow"),
        (api_error(400, "too long", code="context_length_exceeded"), "context-overflow"),
        (api_error(400, "The response was filtered", code="content_filter"), "refused"),
        (api_error(403, "flagged by moderation"), "refused"),
        (api_error(401, "flagged key"), "auth"),
        ({"type": "error", "error": {"type": "overloaded_error"}}, "server"),
        (ValueError("boom"), "unknown"),
    ],
)
def test_every_failure_has_one_kind(error, kind):
    assert normalise(error).kind == kind


def test_the_provider_s_sentence_is_shown_rather_than_the_sdk_s():
    failure = normalise(api_error(400, "no\nsuch   thing", code="bad"))
    assert failure.told == "HTTP 400: no such thing"
    assert failure.code == "bad"


def test_the_innermost_cause_speaks_where_there_is_no_status():
    error = type("APIConnectionError", (Exception,), {})("Connection error.")
    error.__cause__ = OSError("Server disconnected")
    assert normalise(error).told == "Server disconnected"
    assert normalise(TimeoutError()).told == "TimeoutError"


def test_messages_are_scrubbed_and_cut():
    failure = normalise(
        api_error(400, "sk-secret " * 600, code="sk-secret"), lambda text: text.replace("sk-secret", "X")
    )
    assert failure.code == "X"
    assert "sk-secret" not in failure.told
    assert len(failure.message) == 500


@pytest.mark.parametrize(
    ("error", "is_auth"),
    [
        ({"status": 401}, True),
        ({"error": {"code": "INVALID_API_KEY"}}, True),
        ({"responseBody": '{"error": {"type": "permission_denied"}}'}, True),
        ({"responseBody": "{" * 10_000}, False),
        ({"code": "some_forbidden_thing"}, False),
        ("401", False),
    ],
)
def test_authorisation_is_found_wherever_it_is_said(error, is_auth):
    assert is_authorisation(error) is is_auth


def test_a_circle_is_not_walked_for_ever():
    error = {}
    error["error"] = error
    inner = {"cause": error}
    error["data"] = inner
    assert is_authorisation(inner) is False
