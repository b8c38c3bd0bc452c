"""A key that stands in its file, and is text: indented deeper than the key above it, it belongs to that one's block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorerkit.check.words import thing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.definition import Definition
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem


def swallowed_key(definition: Definition, path: Path, wanted: Iterable[str]) -> Problem | None:
    """The problem of a missing key that stands as a line of its own in a text beside it."""
    beside = definition.get(*path) if path else definition.value
    texts = [(name, value) for name, value in beside.items() if isinstance(value, str) and "\n" in value]
    for key in wanted:
        pattern = re.compile(rf"[ ]*{re.escape(key)}:(?: |$)")
        for name, text in texts:
            line = next((number for number, each in enumerate(text.split("\n"), 1) if pattern.match(each)), None)
            if line is not None and definition.source((*path, name))[0].syntax == "yaml":
                message = f"{thing(path)} has no '{key}': here it is text of '{name}'"
                return definition.problem_in_text(
                    "missing-key", (*path, name), line, key, message,
                    why="the text of a block goes on as long as lines are indented deeper than its key",
                    fix=f"indent '{key}' as '{name}', and what belongs to it with it",
                )  # fmt: skip
    return None
