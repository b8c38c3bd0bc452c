"""The form in which an answer is wanted: told to the judge, sent to the provider, and checked when it comes back.

Made once per step when a scorer is loaded, used for every record.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scorerkit.judge.misfit import Misfit, faults_of, shown
from scorerkit.judge.reading import Unreadable, read_json
from scorerkit.judge.repair import repaired
from scorerkit.judge.wire import WRAPPED, is_object_schema, wire_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json


def _no_remote(uri: str) -> Any:
    msg = f"{uri} is not in the schema, and nothing is fetched"
    raise ValueError(msg)


def _validator(schema: Json) -> Any:
    """A jsonschema-rs validator that fetches nothing.

    Raises:
        ValueError: the schema cannot be built; the message is the reason.
    """
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator(schema, validate_formats=True, retriever=_no_remote)
    except ValueError as error:
        raise ValueError(getattr(error, "message", None) or str(error)) from None


@dataclass(frozen=True, slots=True, eq=False)
class AnswerFormat:
    """One form of answer. Compared by identity: a client keeps one response model per format.

    Attributes:
        name: of the step; names the schema to the provider.
        schema: as the judge is told it.
        wire: as a provider's native mode gets it; an object at the root.
        strict: whether ``wire`` is in the strict subset.
        told: text that the step appends to its prompt: the labels and their meanings; None where there is none.
        bounds: for a score, the inclusive range.
    """

    name: str
    schema: Json
    wire: dict[str, Json]
    strict: bool
    told: str | None = None
    bounds: tuple[float | None, float | None] | None = None
    _checked: Json = None
    _validator: Any = None
    _branches: dict[str, Any] = field(default_factory=dict)

    def read(self, text: str, *, native: bool = False) -> Json:
        """The usable value in a raw answer; ``native``: the answer was asked for with ``wire``.

        Raises:
            Unreadable: it is not one JSON value.
            Misfit: it is, and does not fit.
        """
        wants_object = native or is_object_schema(self.schema)
        return self.accept(read_json(text, objects_only=wants_object), native=native)

    def accept(self, value: Json, *, native: bool = False) -> Json:
        """The value as results keep it: unwrapped, corrected where the contract allows it, and valid.

        Raises:
            Misfit: what is wrong, one sentence per fault.
        """
        if native and not is_object_schema(self._checked):
            value = self._unwrapped(value)
        try:
            if not self._validator.is_valid(value):
                value = repaired(value, self._checked, self._checked, self._fits, nulls=native)
                if not self._validator.is_valid(value):
                    raise Misfit(faults_of(self._validator.iter_errors(value)))
        except RecursionError:
            raise Misfit(["the answer is nested too deeply"]) from None
        if self.bounds:
            self._in_range(value["score"])
        return value

    def _unwrapped(self, value: Json) -> Json:
        if isinstance(value, dict) and set(value) == {WRAPPED}:
            return value[WRAPPED]
        raise Misfit([f"the answer must be an object with the one key '{WRAPPED}'"])

    def _fits(self, value: Json, branch: Json) -> bool:
        """Whether a value fits a part of the schema; parts are compiled when first needed."""
        key = json.dumps(branch, sort_keys=True)
        if key not in self._branches:
            shared = {k: self._checked[k] for k in ("$defs", "definitions") if k in self._checked}
            try:
                self._branches[key] = _validator({**shared, "allOf": [branch]})
            except ValueError:  # a reference to another place of the schema: then this part decides nothing
                self._branches[key] = None
        validator = self._branches[key]
        return validator is not None and bool(validator.is_valid(value))

    def _in_range(self, score: float) -> None:
        low, high = self.bounds or (None, None)
        try:
            finite = math.isfinite(score)
        except OverflowError:
            finite = False
        if not finite or (low is not None and score < low) or (high is not None and score > high):
            raise Misfit([f"score was {shown(score)}; it must be {_range(low, high)}"], "out-of-range")


def schema_format(step: str, schema: Json) -> AnswerFormat:
    """The form of an author's ``outputSchema``.

    Raises:
        ValueError: the schema is not a JSON Schema (2020-12), or refers to something outside itself.
    """
    return _format(step, schema, checked=schema)


def score_format(minimum: float | None = None, maximum: float | None = None) -> AnswerFormat:
    """An object with the required number ``score``. The range is told in words, and checked here, not on the wire."""
    says = f"The score: {_range(minimum, maximum)}."
    schema = {
        "type": "object",
        "properties": {"score": {"type": "number", "description": says}},
        "required": ["score"],
    }
    return _format("score", schema, checked=schema, bounds=(minimum, maximum))


def levels_format(levels: Mapping[str, tuple[float, str | None]]) -> AnswerFormat:
    """Reasoning, then one of the labels (label → score, meaning). ``legend`` says what the labels mean."""
    label = {"type": "string", "enum": list(levels), "description": "The label that fits best."}
    reasoning = {"type": "string", "description": "Why this label fits, before it is given."}
    schema = {
        "type": "object",
        "properties": {"reasoning": reasoning, "label": label},
        "required": ["reasoning", "label"],
    }
    lines = ["Give your reasoning, then exactly one of these labels:"]
    lines += [f"- {name}: {means}" if means else f"- {name}" for name, (_, means) in levels.items()]
    return _format("levels", schema, checked={**schema, "required": ["label"]}, told="\n".join(lines))


def _format(name: str, schema: Json, *, checked: Json, **more: Any) -> AnswerFormat:
    validator = _validator(checked)
    wire, strict = wire_schema(schema)
    return AnswerFormat(name, schema, wire, strict, **more, _checked=checked, _validator=validator)


def _range(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"a number from {low} to {high}"
    if low is not None:
        return f"a number of at least {low}"
    return "a number" if high is None else f"a number of at most {high}"


__all__ = ["AnswerFormat", "Misfit", "Unreadable", "levels_format", "schema_format", "score_format"]
