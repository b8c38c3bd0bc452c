"""What the judge is asked to answer: order, openness and doubling of the fields, meanings of the labels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorerkit.check.advice.material import types_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.check.advice.material import Material
    from scorerkit.model.json import Json
    from scorerkit.model.problem import Problem

REASONS = frozenset(
    {"reason", "reasons", "reasoning", "explanation", "explanations", "rationale", "justification", "analysis"}
    | {"thought", "thoughts", "thinking", "critique", "why"}
)
LABELS = frozenset(
    {"verdict", "label", "decision", "judgement", "judgment", "grade", "rating", "vote", "classification"}
)
PASSES = frozenset({"pass", "passed", "passes", "passing"})
VERDICTS = LABELS | PASSES | {"score", "result", "correct"}
NUMBERS = frozenset({"score", "rating", "grade"})
COLLECTIONS = {"object", "array"}


def _words(name: str) -> list[str]:
    """The words of a camelCase or snake_case name, in small letters."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def _parted(name: str, kinds: frozenset[str]) -> str | None:
    """What stands before the last word of a name, when that word is one of ``kinds``; else None."""
    words = _words(name)
    return " ".join(words[:-1]) if words and words[-1] in kinds else None


def _is_scalar(schema: Json) -> bool:
    return isinstance(schema, dict) and "$ref" not in schema and not types_in(schema) & COLLECTIONS


def verdict_before_reason(material: Material) -> Iterator[Problem]:
    """A judge that writes its verdict first defends it afterwards instead of finding it."""
    for step in material.asked:
        for path, schema in material.objects(step):
            names = list(schema["properties"])
            scalars = [index for index, name in enumerate(names) if _is_scalar(schema["properties"][name])]
            first = {_reason_after(names, index): names[index] for index in reversed(scalars)}
            for later, name in first.items():
                if later is not None:
                    yield material.warning(
                        "verdict-before-reason", (*path, "properties", name), f"'{name}' stands before '{later}'",
                        why="a judge writes fields in their order: a verdict given first is defended, not weighed",
                        fix=f"put '{later}' above '{name}'",
                    )  # fmt: skip


def _reason_after(names: list[str], index: int) -> str | None:
    """The reason of the verdict at ``index``, where it comes later and none came before."""
    about = _parted(names[index], VERDICTS)
    if about is None:
        return None
    reasons = [number for number, name in enumerate(names) if _parted(name, REASONS) in (about, "")]
    return names[reasons[0]] if reasons and reasons[0] > index else None


def score_and_pass(material: Material) -> Iterator[Problem]:
    """A number and a pass in one answer may contradict each other; the threshold is there for that."""
    for step in material.asked:
        for path, schema in material.objects(step):
            properties = schema["properties"]
            scores = {_parted(name, NUMBERS) for name in properties if _is_number(properties[name])} - {None}
            for name, inner in properties.items():
                about = _parted(name, PASSES | LABELS)
                if about is not None and _is_pass(name, inner) and (about in scores or about == "is"):
                    yield material.warning(
                        "score-and-pass", (*path, "properties", name),
                        f"the judge is asked for a score and for '{name}'",
                        why="the two may contradict each other; whether a score passes is computed from 'threshold'",
                        fix=f"remove '{name}' and set 'threshold'",
                    )  # fmt: skip


def _is_number(schema: Json) -> bool:
    return bool(types_in(schema) & {"number", "integer"})


def _is_pass(name: str, schema: Json) -> bool:
    """True or false by the name of a pass, or a choice between pass and fail."""
    if _parted(name, PASSES) is not None and "boolean" in types_in(schema):
        return True
    choices = schema.get("enum", ()) if isinstance(schema, dict) else ()
    return {"pass", "fail"} <= {choice.lower() for choice in choices if isinstance(choice, str)}


def open_verdict(material: Material) -> Iterator[Problem]:
    """A label in free text comes in as many spellings as there are answers."""
    for step in material.asked:
        for path, schema in material.objects(step):
            reasoned = any(_parted(name, REASONS) is not None for name in schema["properties"])
            kinds = LABELS | {"result"} if reasoned else LABELS
            for name, inner in schema["properties"].items():
                if _parted(name, kinds) is not None and _is_open_text(inner):
                    yield material.warning(
                        "open-verdict", (*path, "properties", name), f"'{name}' may be any text",
                        why="what later steps compare it with is one spelling of many",
                        fix="list the allowed words under 'enum'",
                    )  # fmt: skip


def _is_open_text(schema: Json) -> bool:
    closed = ("enum", "const", "pattern", "$ref", "anyOf", "oneOf", "allOf")
    return "string" in types_in(schema) and not any(keyword in schema for keyword in closed)


def bare_rubric(material: Material) -> Iterator[Problem]:
    """Labels that are told to the judge without what they mean."""
    path = ("steps", "generateScore", "levels")
    levels = material.definition.get(*path) or {}
    bare = [label for label, level in levels.items() if not (isinstance(level, dict) and level.get("means"))]
    why = "two judges agree on a label only where both are told when it is right"
    if bare and len(bare) == len(levels):
        fix = f"write '{bare[0]}: {{score: …, means: …}}'"
        yield material.warning("bare-rubric", path, "no level says what it means", why=why, fix=fix)
        return
    for label in bare:
        message = f"'{label}' does not say what it means"
        yield material.warning("bare-rubric", (*path, label), message, why=why, fix="add 'means'")
