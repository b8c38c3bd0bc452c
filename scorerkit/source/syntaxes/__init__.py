"""How a text becomes a value with places: one module per syntax, each with ``parse``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem
    from scorerkit.source.page import Page
    from scorerkit.source.syntaxes.parsed import Parsed

SYNTAX_OF_SUFFIX = {".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".json": "json"}

_MODULES = {"yaml": "yaml_text", "toml": "toml_text", "json": "json_text"}


class SyntaxModule(Protocol):
    def parse(self, page: Page, base: Path) -> Parsed | list[Problem]:
        """The value of the text, or all that is wrong with it.

        Only the part at ``base`` must consist of JSON values; an empty text has the value None.
        """
        ...


def syntax_module(syntax: str) -> SyntaxModule:
    """The module for ``yaml``, ``toml`` or ``json``; its libraries load now and not earlier."""
    return cast("SyntaxModule", import_module(f"{__name__}.{_MODULES[syntax]}"))
