"""Regular expressions of a definition: all of them run on text that somebody else wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.model.stage import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem


def _pattern_paths(definition: Definition) -> Iterator[Path]:
    """Where a definition holds regular expressions."""
    judges: Iterable[Path] = [("judge",), *(("steps", step, "judge") for step in STEPS)]
    for judge in judges:
        for index, _ in enumerate(definition.get(*judge, "inputProcessors") or ()):
            patterns: Path = (*judge, "inputProcessors", index, "with", "patterns")
            yield from ((*patterns, number) for number, _ in enumerate(definition.get(*patterns) or ()))
        for index, entry in enumerate(definition.get(*judge, "outputProcessors") or ()):
            if entry["use"] == "extractNumber":
                yield (*judge, "outputProcessors", index, "with", "pattern")
        for index, _ in enumerate(definition.get(*judge, "errorProcessors") or ()):
            matchers: Path = (*judge, "errorProcessors", index, "with", "matchers")
            for number, matcher in enumerate(definition.get(*matchers) or ()):
                yield (*matchers, number) if isinstance(matcher, str) else (*matchers, number, "match")
    for index, _ in enumerate(definition.get("tests") or ()):
        yield ("tests", index, "expect", "reason", "matches")


def check_patterns(definition: Definition) -> Iterator[Problem]:
    """Every pattern of a definition that the linear-time engine refuses."""
    for path in _pattern_paths(definition):
        pattern = definition.get(*path)
        if isinstance(pattern, str):
            yield from check_pattern(definition, path, pattern)


def check_pattern(definition: Definition, path: Path, pattern: str, *, on: str = "value") -> Iterator[Problem]:
    """The problem of one pattern."""
    if reason := pattern_fault(pattern):
        message = f"the pattern cannot be used: {reason}"
        why = "patterns run in linear time: no look-around, no back-references"
        yield definition.problem("bad-pattern", path, message, on=on, why=why)


def pattern_fault(pattern: str) -> str | None:
    """Why the linear-time engine refuses a pattern; None where it takes it."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else "it does not parse"
        return reason.decode() if isinstance(reason, bytes) else str(reason)
    return None
