"""What surrounds a scorer file: the project, its configuration, and what the caller set for this one call."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scorerkit.errors import ScorerkitError
from scorerkit.model.judge import Target
from scorerkit.reference import Namespace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scorerkit.model.json import Json
    from scorerkit.source.project import Project

JUDGE_MODEL = "SCORERKIT_JUDGE_MODEL"
STORE = "SCORERKIT_STORE"
DEFAULT_STORE = ".scorerkit/scorerkit.db"


@dataclass(frozen=True, slots=True)
class Settings:
    """Resolved once per call. Precedence: caller, environment, scorer file, project configuration, default.

    Attributes:
        config: ``scorerkit.toml``, already checked against its schema; empty where there is none.
        config_path: how problems and origins name it.
        judge_model: the caller's model for every step, and where that was said.
        base_url: the caller's address for every request.
        params: ``name=value`` texts of the caller, or values from Python.
    """

    project: Project
    config: Mapping[str, Json] = field(default_factory=dict)
    config_path: str = "scorerkit.toml"
    judge_model: str | None = None
    judge_model_origin: str = "--judge-model"
    base_url: str | None = None
    allow_functions: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        return self.project.root

    @property
    def profiles(self) -> Mapping[str, Mapping[str, Json]]:
        """Names of models with their connection: ``[models.NAME]``."""
        found: Mapping[str, Mapping[str, Json]] = self.config.get("models") or {}
        return found

    def namespace(self, *, trusted: bool) -> Namespace:
        """Whose functions a scorer file may name."""
        return Namespace(self.root, trusted, (*(self.config.get("allowFunctions") or ()), *self.allow_functions))

    @property
    def store_named(self) -> str | None:
        """The store that somebody asks for, as written."""
        return from_environment(STORE) or self.config.get("store")

    @property
    def store(self) -> str:
        """Where the project's store is: a path, or an address such as ``postgresql://…``."""
        written = self.store_named or DEFAULT_STORE
        return written if "://" in written else str(self.root / written)

    def judge_field(self, name: str) -> Json:
        """The project's default of a judge field."""
        return (self.config.get("judge") or {}).get(name)

    def target(self, model: str) -> Target:
        """Where requests for a model go. ``--base-url`` wins over the profile's address.

        Raises:
            ScorerkitError: the text is neither ``provider/name`` nor a profile.
        """
        profile = self.profiles.get(model, {})
        spelled = str(profile.get("model", model))
        provider, slash, name = spelled.partition("/")
        if not (provider and slash and name):
            message = f"the model '{model}' is neither 'provider/name' nor a profile of the project"
            raise ScorerkitError(message, code="unknown-value", fix="write it as 'provider/name'")
        return Target(
            provider,
            name,
            base_url=self.base_url or profile.get("baseUrl"),
            api_key_env=profile.get("apiKeyEnv"),
            headers_env=profile.get("headersEnv") or {},
            structured_output=profile.get("structuredOutput"),
            context_window=profile.get("contextWindow"),
            max_concurrency=profile.get("maxConcurrency"),
            requests_per_minute=profile.get("requestsPerMinute"),
            tokens_per_minute=profile.get("tokensPerMinute"),
            input_price=profile.get("inputPrice"),
            output_price=profile.get("outputPrice"),
        )


def check_address(address: str | None) -> None:
    """Refuse an address that nothing can be sent to; the profiles' addresses are held against their schema.

    Raises:
        ScorerkitError: it does not begin with ``http://`` or ``https://``.
    """
    if address and not address.lower().startswith(("http://", "https://")):
        message = f"the address '{address}' must begin with http:// or https://"
        raise ScorerkitError(message, code="unknown-value", fix=f"--base-url http://{address.rpartition('//')[2]}")


def from_environment(name: str) -> str | None:
    """A variable that is set and not empty."""
    return os.environ.get(name) or None
