"""The four steps of a definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.build.functions import call_at, condition_at, expression_at, template_at
from scorerkit.judge import levels_format, schema_format, score_format
from scorerkit.model.plan import Planned, Step
from scorerkit.model.stage import STEPS
from scorerkit.steps.expression import ExpressionStep
from scorerkit.steps.function import FunctionStep
from scorerkit.steps.prompt import PromptStep, score_calculated, score_field, score_level

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scorerkit.definition import Definition
    from scorerkit.model.json import Json, Path
    from scorerkit.model.judge import JudgeConfig
    from scorerkit.reference import Namespace
    from scorerkit.steps.context import Context


class Builder:
    """Builds the steps of one definition; ``configs`` holds the judge of each prompt step."""

    def __init__(self, definition: Definition, namespace: Namespace, configs: dict[str, JudgeConfig]) -> None:
        self.definition = definition
        self.namespace = namespace
        self.configs = configs

    def steps(self) -> tuple[Planned, ...]:
        """All steps, in the order of the pipeline."""
        return tuple(self._planned(name) for name in STEPS if self.definition.get("steps", name) is not None)

    def _planned(self, name: str) -> Planned:
        path = ("steps", name)
        written = self.definition.get(*path)
        kind = next(kind for kind in KINDS if kind in written)
        when = condition_at(self.definition, (*path, "when")) if written.get("when") is not None else None
        return Planned(KINDS[kind](self, name, self.definition.where((*path, kind))), when)

    def function(self, name: str, at: Json) -> Step:
        return FunctionStep(name, call_at(self.definition, ("steps", name), name, self.namespace), at)

    def expression(self, name: str, at: Json) -> Step:
        return ExpressionStep(name, expression_at(self.definition, ("steps", name, "expression")), at)

    def prompt(self, name: str, at: Json) -> Step:
        written = self.definition.get("steps", name)
        answer_format, score = self._answer(name, written)
        return PromptStep(
            name,
            self._text(("steps", name, "prompt"), name),
            self.configs[name],
            at,
            instructions=self._instructions(name),
            answer_format=answer_format,
            score=score,
        )

    def _text(self, path: Path, name: str) -> Callable[[Context], Awaitable[Any]]:
        if isinstance(self.definition.get(*path), dict):
            return call_at(self.definition, path, name, self.namespace)
        template = template_at(self.definition, path)

        async def text(context: Context) -> str:
            return template.render(context.names)

        return text

    def _instructions(self, name: str) -> Callable[[Any], str] | None:
        for path in (("steps", name, "judge", "instructions"), ("judge", "instructions")):
            if self.definition.get(*path) is not None:
                return template_at(self.definition, path).render
        return None

    def _answer(self, name: str, written: dict[str, Json]) -> tuple[Any, Any]:
        """The form of the answer, and what makes the score of it."""
        if name == "generateReason":
            return None, None
        if "outputSchema" in written:
            answer_format = schema_format(name, written["outputSchema"])
            return answer_format, self._calculation(name) if name == "generateScore" else None
        if "levels" in written:
            levels = {label: _level(value) for label, value in written["levels"].items()}
            return levels_format(levels), score_level({label: number for label, (number, _) in levels.items()})
        bounds = self.definition.get("range") or {}
        return score_format(bounds.get("min"), bounds.get("max")), score_field

    def _calculation(self, name: str) -> Any:
        path = ("steps", name, "calculateScore")
        at = self.definition.where(path)
        if "function" in self.definition.get(*path):
            return score_calculated(call_at(self.definition, path, "calculateScore", self.namespace), at)
        expression = expression_at(self.definition, (*path, "expression"))

        async def calculate(context: Context) -> Json:
            return expression.evaluate(context.names)

        return score_calculated(calculate, at)


def _level(value: Json) -> tuple[float, str | None]:
    return (value["score"], value.get("means")) if isinstance(value, dict) else (value, None)


KINDS: dict[str, Callable[[Builder, str, Json], Step]] = {
    "prompt": Builder.prompt,
    "function": Builder.function,
    "expression": Builder.expression,
}
"""The kinds of step, by the key that tells them."""
