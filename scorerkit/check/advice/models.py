"""Judges whose answers change by themselves: models without a version, and chance."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.check.advice.material import Material
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem

_ALIAS = re.compile(
    r"^(?:chatgpt|gpt(?!-oss)|o\d|claude|gemini|grok|command|mistral-(?:large|medium|small)|codestral|magistral)\b"
)
"""Names by which vendors offer whatever is newest; names of published weights mean one thing for ever."""

_PINNED = re.compile(r"\d{4}|-\d{3}$")
"""A date in any of the usual forms, or a three-digit revision at the end."""

_LATEST = re.compile(r"[-:@/]latest$")


def _judges(material: Material) -> Iterator[Path]:
    if material.asked:
        yield ("judge",)
    for step in material.asked:
        yield ("steps", step, "judge")


def floating_model(material: Material) -> Iterator[Problem]:
    """``provider/name`` where the name is a vendor's alias. The name of a profile has no slash and is passed over."""
    for judge in _judges(material):
        written = material.definition.get(*judge, "model")
        if not isinstance(written, str) or "/" not in written:
            continue
        name = written.rpartition("/")[2]
        if _LATEST.search(written) or (_ALIAS.match(name) and not _PINNED.search(name)):
            yield material.warning(
                "floating-model", (*judge, "model"), f"'{written}' names whatever its vendor means by that today",
                on="value", why="when the alias moves, scores move without a change here",
                fix="name a dated version of the model",
            )  # fmt: skip


def temperature_without_samples(material: Material) -> Iterator[Problem]:
    """Chance in a single answer is noise in the score."""
    if material.definition.get("judge", "samples") is not None:
        return
    for judge in _judges(material):
        path = (*judge, "modelSettings", "temperature")
        temperature = material.definition.get(*path)
        if temperature:
            yield material.warning(
                "temperature-without-samples", path, f"a temperature of {temperature} with one answer per record",
                on="value", why="the same record may get another score next time", fix="set it to 0, or leave it out",
            )  # fmt: skip
