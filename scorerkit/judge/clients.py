"""How an instructor client is built for each family of providers: no hidden retries, our own pool, our own address."""

from __future__ import annotations

import inspect
import logging
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scorerkit.errors import ScorerkitError
from scorerkit.judge.modes import Provider, provider_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.judge.keys import Access
    from scorerkit.model.judge import Target


def build_client(target: Target, access: Access) -> Any:
    """An ``AsyncInstructor``, or what has its ``create`` and ``on``. The heavy imports happen here.

    Raises:
        ScorerkitError: an unknown provider, or its package is not installed.
    """
    provider = provider_of(target)
    _silence_instructor()
    try:
        return _BUILDERS[provider.family](target, provider, access)
    except ImportError as error:
        raise _not_installed(target, provider) from error


def require_ready(target: Target) -> None:
    """Look whether a client could be built, its key apart, without loading more than needed and without asking anybody.

    Raises:
        ScorerkitError: the package is not installed, or something that only the environment can say is not said.
    """
    if target.base_url and "@" in urlsplit(target.base_url).netloc:
        message = "an address may not hold a user or a password when requests are sent there"
        fix = "name the key's variable with 'apiKeyEnv', other headers with 'headersEnv'"
        raise ScorerkitError(message, code="unknown-value", fix=fix)
    provider = provider_of(target)
    try:
        found = find_spec(provider.module)
    except (ImportError, ValueError):  # a parent package is missing, or is a stand-in without a spec
        found = None
    if found is None:
        raise _not_installed(target, provider)
    if provider.family in _CHECKS:
        _CHECKS[provider.family](target)


async def close_client(client: Any) -> None:
    """Close the pools of a client, wherever its SDK keeps them."""
    raw = client.client
    pools = (raw, getattr(raw, "aio", None), getattr(getattr(raw, "sdk_configuration", None), "async_client", None))
    for pool in pools:
        close = getattr(pool, "aclose", None) or getattr(pool, "close", None)
        closing = close() if callable(close) else None
        if inspect.isawaitable(closing):
            await closing


def _silence_instructor() -> None:
    """It logs every failure with the model's text at error level; failures are ours to tell."""
    logger = logging.getLogger("instructor")
    if logger.propagate:
        logger.addHandler(logging.NullHandler())
        logger.propagate = False


def _openai(target: Target, provider: Provider, access: Access) -> Any:
    import instructor
    import openai

    if target.provider == "azure_openai":
        return _azure(target, access)
    client = openai.AsyncOpenAI(
        api_key=access.key,
        base_url=target.base_url or provider.base_url,  # None: the SDK looks at OPENAI_BASE_URL
        default_headers=dict(access.headers) or None,
        max_retries=0,
        http_client=openai.DefaultAioHttpClient(),
    )
    return instructor.from_openai(client, mode=instructor.Mode[provider.mode])


def _check_azure(target: Target) -> None:
    if target.provider != "azure_openai":
        return
    for variable, said in (("OPENAI_API_VERSION", None), ("AZURE_OPENAI_ENDPOINT", target.base_url)):
        if not said and not os.environ.get(variable):
            msg = f"azure_openai needs the environment variable {variable}"
            raise ScorerkitError(
                msg, fix=f"set {variable}, or use 'openai/NAME' with a baseUrl that ends in /openai/v1/"
            )


def _azure(target: Target, access: Access) -> Any:
    import instructor
    import openai

    _check_azure(target)
    client = openai.AsyncAzureOpenAI(
        api_key=access.key,
        azure_endpoint=target.base_url,  # type: ignore[arg-type]  # None: AZURE_OPENAI_ENDPOINT
        default_headers=dict(access.headers) or None,
        max_retries=0,
        http_client=openai.DefaultAioHttpClient(),
    )
    return instructor.from_openai(client, mode=instructor.Mode.JSON_SCHEMA)


def _anthropic(target: Target, provider: Provider, access: Access) -> Any:
    import anthropic  # type: ignore[import-not-found, unused-ignore]
    import instructor

    client = anthropic.AsyncAnthropic(
        api_key=access.key,
        base_url=target.base_url,
        default_headers=dict(access.headers) or None,
        max_retries=0,
    )
    return instructor.from_anthropic(client, mode=instructor.Mode[provider.mode])


def _google(target: Target, provider: Provider, access: Access) -> Any:
    import instructor
    from google import genai  # type: ignore[attr-defined, import-not-found, unused-ignore]

    once = {"attempts": 1}  # unless it is told so, it sends again after a broken connection, seconds later
    options = {"headers": dict(access.headers), "retry_options": once}
    options |= {"base_url": target.base_url} if target.base_url else {}
    client = genai.Client(vertexai=False, api_key=access.key, http_options=options)
    return instructor.from_genai(client, mode=instructor.Mode[provider.mode], use_async=True)


def _mistral(target: Target, provider: Provider, access: Access) -> Any:
    import httpx  # type: ignore[import-not-found, unused-ignore]
    import instructor
    from mistralai.client import Mistral  # type: ignore[import-not-found, unused-ignore]

    # Its own client would give up after 5 s without a byte; our time-out bounds the whole request.
    pool = httpx.AsyncClient(follow_redirects=True, timeout=None, headers=dict(access.headers))  # noqa: S113
    client = Mistral(api_key=access.key, server_url=target.base_url, async_client=pool)
    return instructor.from_mistral(client, mode=instructor.Mode[provider.mode], use_async=True)


def _bedrock(target: Target, provider: Provider, access: Access) -> Any:
    from scorerkit.judge.bedrock_client import BedrockClient

    del access  # boto3 finds its own
    _check_bedrock(target)
    return BedrockClient(target.base_url, provider.mode)


def _check_bedrock(target: Target) -> None:
    from scorerkit.judge.bedrock_client import require_credentials

    if target.headers_env or target.api_key_env:
        msg = "apiKeyEnv and headersEnv are not supported for bedrock"
        raise ScorerkitError(msg, fix="give AWS credentials in its own way, such as AWS_BEARER_TOKEN_BEDROCK")
    require_credentials(target.base_url)


def _check_other(target: Target) -> None:
    if target.base_url or target.headers_env:
        msg = f"an address or headers of one's own are not supported for {target.provider}"
        raise ScorerkitError(msg, fix="use 'openai/NAME' if the server is OpenAI-compatible")


def _other(target: Target, provider: Provider, access: Access) -> Any:
    """A provider whose client instructor builds itself; its SDK's retries are switched off afterwards."""
    import instructor
    from instructor.core.exceptions import ConfigurationError

    _check_other(target)
    mode = instructor.Mode[provider.mode]
    try:
        client: Any = instructor.from_provider(target.model, async_client=True, mode=mode, api_key=access.key)
    except ConfigurationError as error:
        raise _not_installed(target, provider) from error
    if hasattr(client.client, "max_retries"):
        client.client.max_retries = 0
    return client


def _not_installed(target: Target, provider: Provider) -> ScorerkitError:
    return ScorerkitError(
        f"the package for the provider '{target.provider}' is not installed",
        fix=f"install it: pip install '{provider.package}'",
    )


_BUILDERS: dict[str, Callable[[Target, Provider, Access], Any]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "mistral": _mistral,
    "bedrock": _bedrock,
    "other": _other,
}

_CHECKS: dict[str, Callable[[Target], None]] = {
    "openai": _check_azure,
    "bedrock": _check_bedrock,
    "other": _check_other,
}
