"""Requests to a collector of OpenTelemetry: OTLP over HTTP, in JSON."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from scorerkit.errors import Inconclusive, ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import requests as http

PATH = "/v1/logs"
HEADERS = ("OTEL_EXPORTER_OTLP_LOGS_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS")
"""Where OpenTelemetry's exporters take headers from, such as a key: ``name=value,name=value``, percent-encoded."""
SECONDS = 10
TRIES = 5
LONGEST_WAIT = 30.0
"""Seconds that a collector can make us wait between two tries."""
LATER = (429, 502, 503, 504)
"""Answers after which OTLP's specification wants another try."""


class Collector:
    """Of an address; the path of OTLP's log records is added to one that has none.

    Raises:
        ScorerkitError: it is no address of HTTP, or holds a user or a password.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = f"'{parts.scheme}://…' is no address that events can be sent to"
            raise ScorerkitError(message, fix="write otlp:http://HOST:4318, or a file without '://'")
        if "@" in parts.netloc:
            message = "the address of --emit holds a user or a password"
            raise ScorerkitError(message, fix=f"put keys into {HEADERS[-1]}=name=value")
        self._url = parts._replace(path=parts.path if parts.path.strip("/") else PATH).geturl()
        self.shown = f"{parts.scheme}://{parts.netloc}"

    def send(self, requests: Iterable[bytes]) -> None:
        """Send one after the other.

        Raises:
            Inconclusive: one of them was refused or did not arrive.
        """
        import requests as http
        from requests.adapters import HTTPAdapter

        with http.Session() as session:
            session.mount(self.shown, HTTPAdapter(max_retries=_retries()))
            session.headers.update({**_headers(), "Content-Type": "application/json"})
            for request in requests:
                if why := self._post(session, request):
                    message = f"not all events could be sent to {self.shown}: {why}"
                    raise Inconclusive(message)

    def _post(self, session: http.Session, request: bytes) -> str | None:
        """Send a request; what went wrong, if anything did."""
        import requests as http

        try:
            answer = session.post(self._url, data=request, timeout=SECONDS, allow_redirects=False)
        except http.RequestException as error:
            cause = getattr(error.args[0], "reason", error) if error.args else error
            return f"it could not be reached ({type(cause).__name__})"
        if answer.status_code != http.codes.ok:
            return f"it answers {answer.status_code}"
        refused = _refused(answer)
        return f"it refuses {refused} of them" if refused else None


def _retries() -> Any:
    from urllib3.util import Retry

    class Patient(Retry):
        def get_retry_after(self, response: Any) -> float | None:
            wait = super().get_retry_after(response)
            return None if wait is None else min(wait, LONGEST_WAIT)

    return Patient(
        TRIES - 1,
        status_forcelist=LATER,
        allowed_methods=None,
        backoff_factor=0.5,
        raise_on_status=False,
        redirect=False,
    )


def _headers() -> dict[str, str]:
    given = next((value for name in HEADERS if (value := os.environ.get(name))), "")
    pairs = (pair.partition("=") for pair in given.split(",") if "=" in pair)
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs}


def _refused(answer: Any) -> int:
    """How many events a collector that answered 200 did not take: OTLP's partial success."""
    try:
        told = answer.json().get("partialSuccess") or {}
        return int(told.get("rejectedLogRecords") or 0)
    except (ValueError, AttributeError, TypeError):
        return 0
