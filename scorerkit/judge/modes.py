"""What each provider is and can do: the one table behind ``auto``, keys and the installation hint.

Which mode a provider has was checked on 2026-12-01 against the table of instructor 1.17.0 and, for openai, anthropic,
google, mistral and bedrock, with their SDKs against servers that speak their wire formats. Which *models* have it was
noted from the providers' public pages in November 2025 and has not been checked with the providers since: a profile's
``structuredOutput`` overrides it. Unknown models get their schema in the prompt, which every model can read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from scorerkit.model.judge import Injection, Target

Family = Literal["openai", "anthropic", "google", "mistral", "bedrock", "other"]
Mode = Literal["JSON_SCHEMA", "TOOLS", "MD_JSON"]


class Provider(NamedTuple):
    """A provider as instructor knows it.

    Attributes:
        family: whose request it takes.
        mode: instructor's mode for native structured output.
        key_env: the variables that may hold its key, the usual one first; none needs a key if this is empty.
        package: what has to be installed, as pip spells it.
        module: what can be imported once that is installed.
        base_url: of an OpenAI-compatible provider; None: the SDK's own.
        structured: prefixes of models that answer in native structured output.
    """

    family: Family
    mode: Mode
    key_env: tuple[str, ...]
    package: str = "scorerkit"
    module: str = "openai"
    base_url: str | None = None
    structured: tuple[str, ...] = ()


PROVIDERS: dict[str, Provider] = {
    # platform.openai.com/docs/guides/structured-outputs
    "openai": Provider(
        "openai",
        "JSON_SCHEMA",
        ("OPENAI_API_KEY",),
        structured=("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "o1-2024-12-17", "o3", "o4-mini"),
    ),
    "azure_openai": Provider("openai", "JSON_SCHEMA", ("AZURE_OPENAI_API_KEY",)),
    # docs.claude.com: tool use, supported from Claude 3 on
    "anthropic": Provider(
        "anthropic",
        "TOOLS",
        ("ANTHROPIC_API_KEY",),
        "scorerkit[anthropic]",
        "anthropic",
        structured=("claude-3", "claude-opus-", "claude-sonnet-", "claude-haiku-"),
    ),
    # ai.google.dev/gemini-api/docs/function-calling
    "google": Provider(
        "google",
        "TOOLS",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        "scorerkit[google]",
        "google.genai",
        structured=("gemini-1.5", "gemini-2", "gemini-3"),
    ),
    # docs.mistral.ai/capabilities/structured-output
    "mistral": Provider(
        "mistral",
        "JSON_SCHEMA",
        ("MISTRAL_API_KEY",),
        "scorerkit[mistral]",
        "mistralai",
        structured=("mistral-", "ministral-"),
    ),
    # docs.aws.amazon.com/bedrock: tool use of the Converse API; AWS has ways of its own to find credentials
    "bedrock": Provider(
        "bedrock",
        "TOOLS",
        (),
        "scorerkit[bedrock]",
        "boto3",
        structured=("anthropic.claude-", "eu.anthropic.claude-", "us.anthropic.claude-", "global.anthropic.claude-"),
    ),
    # console.groq.com/docs/structured-outputs
    "groq": Provider(
        "other",
        "TOOLS",
        ("GROQ_API_KEY",),
        "scorerkit[groq]",
        "groq",
        structured=("openai/gpt-oss-", "moonshotai/kimi-k2", "meta-llama/llama-4-"),
    ),
    "cohere": Provider("other", "JSON_SCHEMA", ("COHERE_API_KEY", "CO_API_KEY"), "scorerkit[cohere]", "cohere"),
    "cerebras": Provider("other", "TOOLS", ("CEREBRAS_API_KEY",), "scorerkit[cerebras]", "cerebras"),
    "fireworks": Provider("other", "TOOLS", ("FIREWORKS_API_KEY",), "scorerkit[fireworks]", "fireworks"),
    "xai": Provider("other", "JSON_SCHEMA", ("XAI_API_KEY",), "scorerkit[xai]", "xai_sdk"),
    "writer": Provider("other", "TOOLS", ("WRITER_API_KEY",), "scorerkit[writer]", "writerai"),
    "vertexai": Provider("other", "TOOLS", (), "scorerkit[vertexai]", "vertexai"),
    "litellm": Provider("other", "TOOLS", (), "scorerkit[litellm]", "litellm"),
    "openrouter": Provider("openai", "JSON_SCHEMA", ("OPENROUTER_API_KEY",), base_url="https://openrouter.ai/api/v1"),
    "together": Provider("openai", "JSON_SCHEMA", ("TOGETHER_API_KEY",), base_url="https://api.together.xyz/v1"),
    "anyscale": Provider(
        "openai", "JSON_SCHEMA", ("ANYSCALE_API_KEY",), base_url="https://api.endpoints.anyscale.com/v1"
    ),
    "deepseek": Provider("openai", "TOOLS", ("DEEPSEEK_API_KEY",), base_url="https://api.deepseek.com"),
    "perplexity": Provider("openai", "JSON_SCHEMA", ("PERPLEXITY_API_KEY",), base_url="https://api.perplexity.ai"),
    "ollama": Provider("openai", "JSON_SCHEMA", (), base_url="http://localhost:11434/v1"),
}


def provider_of(target: Target) -> Provider:
    """The provider of a target.

    Raises:
        ScorerkitError: there is none of that name.
    """
    provider = PROVIDERS.get(target.provider)
    if provider is None:
        msg = f"there is no provider '{target.provider}'"
        fix = f"use one of {', '.join(map(repr, PROVIDERS))}"
        raise ScorerkitError(msg, code="unknown-value", fix=fix)
    return provider


def native_for(target: Target, injection: Injection) -> bool:
    """Whether the first attempt uses native structured output."""
    if injection != "auto":
        return injection == "native"
    if target.structured_output is not None:
        return target.structured_output
    provider = PROVIDERS.get(target.provider)
    return provider is not None and target.name.startswith(provider.structured or ("\0",))
