"""Bedrock's SDK blocks; its requests wait in threads here, so that the others go on meanwhile."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from scorerkit.errors import MissingKey, ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_S = 3600
"""Of one read: ``timeoutMs`` bounds a request, and boto3 must not end it earlier."""

_POOL = 64


class BedrockClient:
    """Has what is used of an ``AsyncInstructor``: ``create``, ``on`` and ``client``.

    ``secrets`` are the credentials that boto3 found, which no message may show.

    Raises:
        MissingKey: boto3 finds no credentials.
        ScorerkitError: it knows no region.
    """

    def __init__(self, base_url: str | None, mode: str) -> None:
        import instructor

        self.client = _boto_client(base_url)
        self.secrets = _secrets(self.client)
        self._inner = instructor.from_bedrock(self.client, mode=instructor.Mode[mode])
        self.on = self._inner.on

    async def create(self, **arguments: Any) -> Any:
        """One request; cancelling leaves its thread to itself, which holds up nothing, not even the end."""
        return await _in_thread(lambda: self._inner.create(**arguments))


def require_credentials(base_url: str | None) -> None:
    """Look for a region and credentials.

    Raises:
        MissingKey, ScorerkitError: boto3 finds none.
    """
    client = _boto_client(base_url)
    _secrets(client)
    client.close()


def _boto_client(base_url: str | None) -> Any:
    import boto3  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from botocore.config import Config  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from botocore.exceptions import NoRegionError  # type: ignore[import-not-found, import-untyped, unused-ignore]

    once = {"total_max_attempts": 1, "mode": "standard"}
    config = Config(retries=once, read_timeout=_LONGEST_S, max_pool_connections=_POOL)
    try:
        client = boto3.client("bedrock-runtime", endpoint_url=base_url, config=config)
    except NoRegionError as error:
        msg = "boto3 does not know which region of AWS to ask"
        raise ScorerkitError(msg, fix="set AWS_DEFAULT_REGION") from error
    return client


def _secrets(client: Any) -> tuple[str, ...]:
    """boto3 tells nobody but its signer which credentials it found."""
    signer = client._request_signer  # noqa: SLF001
    token, credentials = signer._auth_token, signer._credentials  # noqa: SLF001
    if token is None and credentials is None:
        msg = "boto3 finds no credentials for bedrock"
        raise MissingKey(msg, fix="set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
    found = token if token is not None else credentials.get_frozen_credentials()
    names = ("token", "access_key", "secret_key")
    return tuple(value for name in names if isinstance(value := getattr(found, name, None), str))


async def _in_thread(work: Callable[[], Any]) -> Any:
    """The result of ``work``, done with this task's context in a thread that does not outlive the process."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = copy_context()

    def settle(result: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def run() -> None:
        result, failed = None, None
        try:
            result = context.run(work)
        except Exception as error:
            failed = error
        with suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=run, daemon=True, name="scorerkit-bedrock").start()
    return await future
