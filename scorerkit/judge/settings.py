"""``modelSettings`` → the arguments that each family of providers takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.judge.modes import Family
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Target

_ARGUMENTS: dict[Family, dict[str, str]] = {
    "openai": {
        "temperature": "temperature",
        "topP": "top_p",
        "maxOutputTokens": "max_tokens",
        "seed": "seed",
        "reasoningEffort": "reasoning_effort",
    },
    "anthropic": {"temperature": "temperature", "topP": "top_p", "maxOutputTokens": "max_tokens"},
    "google": {"temperature": "temperature", "topP": "top_p", "maxOutputTokens": "max_output_tokens", "seed": "seed"},
    "mistral": {
        "temperature": "temperature",
        "topP": "top_p",
        "maxOutputTokens": "max_tokens",
        "seed": "random_seed",
        "reasoningEffort": "reasoning_effort",
    },
    "bedrock": {"temperature": "temperature", "topP": "top_p", "maxOutputTokens": "max_tokens"},
    "other": {"temperature": "temperature", "topP": "top_p", "maxOutputTokens": "max_tokens", "seed": "seed"},
}
_NOT_ARGUMENTS = {"timeoutMs", "extra"}
_TAKE_TIMEOUT = {"openai", "anthropic"}
_REASONING_MODEL = re.compile(r"gpt-5|o[0-9]")
_ANTHROPIC_MAX_TOKENS = 4096
"""Anthropic insists on a limit; this is instructor's own default."""


def arguments_for(target: Target, family: Family, settings: Mapping[str, Json], timeout_s: float) -> dict[str, Any]:
    """Keyword arguments of one request; with its time-out where the SDK takes one, or its own default would cut in.

    Raises:
        ScorerkitError: the provider has no such setting; ignoring it would change what is measured.
    """
    known = _ARGUMENTS[family]
    given: dict[str, Any] = {}
    for name, value in settings.items():
        if name in known:
            given[known[name]] = value
        elif name not in _NOT_ARGUMENTS:
            msg = f"{target.provider} has no setting '{name}'"
            raise ScorerkitError(msg, code="unknown-value", fix=f"use one of {', '.join(map(repr, known))}, or 'extra'")
    extra = dict(settings.get("extra") or {})
    if family in _TAKE_TIMEOUT:
        given["timeout"] = timeout_s
    return _SHAPES[family](target, given, extra)


def _openai(target: Target, given: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    own = target.provider in {"openai", "azure_openai"}
    if own and "max_tokens" in given and _REASONING_MODEL.match(target.name):
        given["max_completion_tokens"] = given.pop("max_tokens")
    return {**given, "extra_body": extra} if extra else given


def _anthropic(_target: Target, given: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    given.setdefault("max_tokens", _ANTHROPIC_MAX_TOKENS)
    return {**given, "extra_body": extra} if extra else given


def _google(_target: Target, given: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    """An empty list of safety settings leaves them to Google; instructor would switch its filters off."""
    config = {**given, **extra}
    return {"safety_settings": [], **({"config": config} if config else {})}


def _bedrock(_target: Target, given: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    return {**given, "additionalModelRequestFields": extra} if extra else given


def _other(_target: Target, given: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    return {**given, **extra}


_SHAPES = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "mistral": _other,
    "bedrock": _bedrock,
    "other": _other,
}
