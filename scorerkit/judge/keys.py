"""Keys and headers of a target, looked up in the environment when a client is built, and never shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.errors import MissingKey
from scorerkit.judge.modes import provider_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.judge import Target

NO_KEY = "no-key-needed"
"""Sent where no key is needed: SDKs insist on a value."""


class Access(NamedTuple):
    """What a client needs to be let in; ``key`` None leaves it to the SDK (cloud credentials)."""

    key: str | None
    headers: Mapping[str, str]


def access_to(target: Target) -> Access:
    """The key and headers of a target.

    Raises:
        MissingKey: a variable that should hold one is not set; the message names it.
        ScorerkitError: there is no such provider.
    """
    headers = {name: _required(variable, target, "headersEnv") for name, variable in target.headers_env.items()}
    return Access(_key(target), headers)


def _key(target: Target) -> str | None:
    if target.api_key_env == "":
        return NO_KEY
    if target.api_key_env is not None:
        return _required(target.api_key_env, target, "apiKeyEnv")
    provider = provider_of(target)
    usual = provider.key_env
    found = next((value for name in usual if (value := os.environ.get(name, "").strip())), None)
    if usual and found is None:
        raise _missing(usual[0], target, "apiKeyEnv")
    return found or (NO_KEY if provider.family == "openai" else None)


def _required(variable: str, target: Target, setting: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise _missing(variable, target, setting)
    return value


def _missing(variable: str, target: Target, setting: str) -> MissingKey:
    fix = f"set {variable}, or name another variable in '{setting}' of a model profile"
    if target.base_url is not None and target.api_key_env is None and setting == "apiKeyEnv":
        fix += f"; if the server at the address wants no key, set {variable} to any word, or 'apiKeyEnv' to \"\" there"
    return MissingKey(
        f"the environment variable {variable} is not set",
        why=f"requests to {target.model} need it",
        fix=fix,
    )
