"""The Python chain: the same definition that a file gives, with functions where a file has names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorerkit.assembly import assemble
from scorerkit.build.plan import build_plan
from scorerkit.check import check_definition
from scorerkit.conversion import to_json
from scorerkit.errors import InvalidScorer
from scorerkit.reference import Namespace, Reference, Refusal
from scorerkit.source import parse_document
from scorerkit.source.project import Territory

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.plan import Plan
    from scorerkit.settings import Settings

TOP = {
    "id": "id",
    "name": "name",
    "description": "description",
    "version": "version",
    "tags": "tags",
    "deprecated": "deprecated",
    "type": "type",
    "params": "params",
    "judge": "judge",
    "prepare_run": "prepareRun",
    "not_scorable": "notScorable",
    "range": "range",
    "direction": "direction",
    "threshold": "threshold",
    "gate": "gate",
}
"""Argument of ``create_scorer`` → key of the file."""

STEP = {
    "description": "description",
    "prompt": "prompt",
    "expression": "expression",
    "output_schema": "outputSchema",
    "calculate_score": "calculateScore",
    "levels": "levels",
    "judge": "judge",
    "when": "when",
    "thread": "thread",
}
"""Argument of a step → key of the file."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A definition in the making; every addition gives a new one.

    Attributes:
        value: what a file would hold; functions stand in it under made-up names.
        functions: made-up name → function.
    """

    value: dict[str, Json]
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    def with_step(self, name: str, function: Callable[..., Any] | None, given: Mapping[str, Any]) -> Draft:
        """The draft with one more step.

        Raises:
            TypeError: the step is there already, or an argument is unknown.
        """
        steps = self.value.get("steps", {})
        if name in steps:
            message = f"the step {name} is given twice"
            raise TypeError(message)
        unknown = sorted(set(given) - set(STEP))
        if unknown:
            message = f"a step has no argument '{unknown[0]}'; it has {', '.join(STEP)}"
            raise TypeError(message)
        draft = self
        step: dict[str, Json] = {}
        if function is not None:
            step["function"], draft = draft.named(name, function)
        for argument, value in given.items():
            if value is not None:
                step[STEP[argument]], draft = draft.declared(f"{name}.{argument}", STEP[argument], value)
        return replace(draft, value={**draft.value, "steps": {**steps, name: step}})

    def with_top(self, given: Mapping[str, Any]) -> Draft:
        """The draft with top-level keys."""
        draft = self
        for argument, value in given.items():
            if argument not in TOP:
                message = f"create_scorer has no argument '{argument}'; it has {', '.join(TOP)}"
                raise TypeError(message)
            if value is not None:
                written, draft = draft.declared(argument, TOP[argument], value)
                draft = replace(draft, value={**draft.value, TOP[argument]: written})
        return draft

    def declared(self, name: str, key: str, value: Any) -> tuple[Json, Draft]:
        """A value as a file would have it; functions become names, pydantic models their schema."""
        if key == "outputSchema" and callable(schema := getattr(value, "model_json_schema", None)):
            return to_json(schema()), self
        if key == "judge" and isinstance(value, Mapping):
            return {_camel(field): to_json(item) for field, item in value.items()}, self
        if callable(value) and not isinstance(value, type):
            written, draft = self.named(name, value)
            return {"function": written}, draft
        if isinstance(value, (list, tuple)) and any(map(callable, value)):
            draft, entries = self, []
            for index, item in enumerate(value):
                entry, draft = draft.declared(f"{name}.{index}", key, item)
                entries.append(entry)
            return entries, draft
        return to_json(value), self

    def named(self, name: str, function: Callable[..., Any]) -> tuple[str, Draft]:
        written = f"python:{name.replace('.', '_')}"
        return written, replace(self, functions={**self.functions, written: function})


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


@dataclass(frozen=True, slots=True)
class GivenNamespace(Namespace):
    """A namespace in which the functions of a draft have their made-up names."""

    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    def find(self, written: str) -> Reference | Refusal:
        if written in self.functions:
            module, _, name = written.partition(":")
            return Reference(module, name, "given", function=self.functions[written])
        # Named explicitly: dataclasses with slots rebuild the class, which breaks a bare super().
        return Namespace.find(self, written)


def plan_of(draft: Draft, settings: Settings) -> Plan:
    """The plan of a finished draft.

    Raises:
        InvalidScorer: with all problems.
    """
    name = f"<create_scorer {draft.value.get('id', '?')}>"
    document = parse_document(json.dumps(draft.value, ensure_ascii=False, indent=2), name, "json")
    if isinstance(document, list):
        raise InvalidScorer(document)
    definition, problems = assemble(document, Territory(settings.root, Path.cwd() / "scorer.json"))
    namespace = GivenNamespace(settings.root, True, settings.namespace(trusted=True).allowed, draft.functions)
    problems = [*problems, *check_definition(definition, namespace, settings.profiles)]
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise InvalidScorer(errors)
    plan = build_plan(definition, settings, namespace)
    return replace(plan, digest=None) if draft.functions else plan
