"""The scale that a prompt names, held against the scale that its answer is checked by."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.check.advice.material import types_in
from scorerkit.check.schemas import schemas_in
from scorerkit.model.plan import Bounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.check.advice.material import Material, Text
    from scorerkit.model.json import Json, Path
    from scorerkit.model.problem import Problem

_NUMBER = r"(-?\d{1,4}(?:\.\d{1,4})?)"
_DASH = "[-\u2013\u2014]"
_ASIDE = r"(?:\s*\([^()\n]{1,60}\))?"
_SCALE = re.compile(
    rf"(?<![\w.,/-])(?:(?:from|between)\s+{_NUMBER}{_ASIDE}\s*(?:to|and|through|{_DASH})\s*{_NUMBER}"
    rf"|{_NUMBER}{_ASIDE}\s*(?:to|through|{_DASH}|\.\.\.?)\s*{_NUMBER}"
    rf"|out\s+of\s+{_NUMBER})(?![\w/-]|[.,]\d)"
)
_ABOUT_SCORES = re.compile(
    r"\b(?:scor(?:e|es|ed|ing)|rat(?:e|es|ed|ing|ings)|scales?|grad(?:e|es|ed|ing)|marks?|rank(?:s|ed|ing)?|numbers?)\b",
    re.IGNORECASE,
)
_NAMED_AFTER = re.compile(r"\s*(?:point\s+)?(?:scale|rating|score)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"[^\S\n]*(?:\n|$|[.,;:!?)\]\"'%(\u2013\u2014=]"
    r"|(?:where|in|for|how|on|based|with|and|or|scale|according|using|by|as|whether|is|are|points?|rating|that)\b)",
    re.IGNORECASE,
)
"""What may follow a scale. Any other word is what is counted: '3 to 5 sentences' is no scale."""

_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_BOUNDED = ("minimum", "maximum", "enum")
LOOK_BACK = 160
HIGHEST = 1000
"""Greater numbers are years, pages, prices."""


class Scale(NamedTuple):
    """A scale as a prompt names it; ``low`` is None in 'out of 10'."""

    low: float | None
    high: float
    line: int
    token: str

    def fits(self, bounds: Bounds) -> bool:
        """Whether no end contradicts a bound; an end without a bound contradicts nothing."""
        low_fits = self.low is None or bounds.minimum is None or self.low == bounds.minimum
        return low_fits and (bounds.maximum is None or self.high == bounds.maximum)


def scale_mismatch(material: Material) -> Iterator[Problem]:
    """Prompts that name a scale, none of which is that of the answer."""
    for text in material.texts:
        if text.kind != "template" or text.included is not None:
            continue
        allowed = [pair for step in text.places for pair in _scales_of_answer(material, step)]
        named = scales_in(text.source)
        if not allowed or not named or any(scale.fits(bounds) for scale in named for _, bounds in allowed):
            continue
        yield _problem(material, text, named[0], *allowed[0])


def _problem(material: Material, text: Text, scale: Scale, where: str, bounds: Bounds) -> Problem:
    low = "" if bounds.minimum is None else f"{bounds.minimum:g}"
    high = "" if bounds.maximum is None else f"{bounds.maximum:g}"
    shown = f"from {low} to {high}" if low and high else f"from {low} up" if low else f"up to {high}"
    return text.warning(
        material.definition, "scale-mismatch", scale.line, scale.token,
        f"the prompt says '{scale.token}', and {where} goes {shown}",
        why="a judge that obeys the prompt gives numbers that are refused, or that mean something else",
        fix="name the same scale in both",
    )  # fmt: skip


def scales_in(prompt: str) -> list[Scale]:
    """The scales that a prompt names, in its order; numbers in template code are not looked at."""
    text = _JINJA.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), prompt)
    found = []
    for match in _SCALE.finditer(text):
        numbers = [float(number) for number in match.groups() if number is not None]
        if max(numbers) > HIGHEST or not _is_scale(text, match):
            continue
        line = text.count("\n", 0, match.start()) + 1
        low = min(numbers) if len(numbers) == 2 else None
        found.append(Scale(low, max(numbers), line, match[0].split("\n")[0].rstrip()))
    return found


def _is_scale(text: str, match: re.Match[str]) -> bool:
    if _NAMED_AFTER.match(text, match.end()):
        return True
    before = re.split(r"[.!?]\s|\n\s*\n", text[max(match.start() - LOOK_BACK, 0) : match.start()])[-1]
    if match[0].startswith("out") and re.search(r"\d\s*$|\b(?:one|two|three|four|five|many)\s*$", before):
        return False
    return bool(_ABOUT_SCORES.search(before) and _GOES_ON.match(text, match.end()))


def _scales_of_answer(material: Material, step: str) -> list[tuple[str, Bounds]]:
    """(what has the bounds, the bounds) of every number that a step's judge may mean by the scale."""
    definition = material.definition
    if step not in material.asked or definition.get("steps", step, "levels") is not None:
        return []
    path: Path = ("steps", step, "outputSchema")
    schema = definition.get(*path)
    if schema is None:
        return _range(material) if step == "generateScore" else []
    found = list(_numbers(schema, path))
    likely = [pair for pair in found if re.search(r"(?:score|rating|grade)'$", pair[0], re.IGNORECASE)]
    bounded = likely or (found if len(found) == 1 else [])
    makes = definition.get("steps", step, "calculateScore", "expression") or ""
    taken_over = re.fullmatch(r"\s*judgeOutput\.\w+\s*", makes)
    return bounded or (_range(material) if taken_over else [])


def _range(material: Material) -> list[tuple[str, Bounds]]:
    bounds = material.definition.get("range")
    return [("'range'", Bounds(bounds.get("min"), bounds.get("max")))] if bounds else []


def _numbers(schema: Json, path: Path) -> Iterator[tuple[str, Bounds]]:
    """Every number of a schema that has bounds, by its name."""
    for where, inner in schemas_in(schema, path):
        listed = [value for value in inner.get("enum", ()) if isinstance(value, (int, float))]
        if (types_in(inner) & {"number", "integer"} or listed) and any(key in inner for key in _BOUNDED):
            low = min(listed) if listed else inner.get("minimum")
            high = max(listed) if listed else inner.get("maximum")
            yield f"'{where[-1]}'", Bounds(low, high)
