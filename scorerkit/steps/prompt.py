from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from scorerkit.conversion import describe, kind_of
from scorerkit.errors import RecordError
from scorerkit.model.judge import JudgeError, Question
from scorerkit.steps.scores import as_score

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.judge import JudgeConfig
    from scorerkit.model.result import ScorerResult
    from scorerkit.steps.context import Context

Text = Callable[["Context"], Awaitable[Any]]


class PromptStep:
    """A step that the judge answers.

    Attributes:
        prompt: gives the text of the question; from a template or a function, and never rendered again.
        instructions: gives the system message; None where there is none.
        format: what the answer must look like; None for plain text.
        score: makes the number of the judge's answer in ``generateScore``; None elsewhere.
    """

    kind = "prompt"
    waits = True
    __slots__ = ("at", "config", "format", "instructions", "name", "prompt", "score")

    def __init__(
        self,
        name: str,
        prompt: Text,
        config: JudgeConfig,
        at: Json,
        *,
        instructions: Callable[[Mapping[str, Any]], str] | None = None,
        answer_format: Any = None,
        score: Callable[[Context, Json], Awaitable[Json]] | None = None,
    ) -> None:
        self.name = name
        self.prompt = prompt
        self.config = config
        self.at = at
        self.instructions = instructions
        self.format = answer_format
        self.score = score

    async def question(self, context: Context) -> Question:
        """What the judge will be asked for this record: rendered, not sent."""
        prompt = await self.prompt(context)
        if not isinstance(prompt, str):
            message = f"the prompt of {self.name} is {describe(prompt)}, which is {kind_of(prompt)}, not text"
            raise RecordError("step-failed", message, at=self.at)
        told = self.format.told if self.format is not None else None
        return Question(
            run_id=context.run.run_id,
            step=self.name,
            prompt=f"{prompt}\n\n{told}" if told else prompt,
            config=self.config,
            instructions=self.instructions(context.names) if self.instructions else None,
            format=self.format,
        )

    async def execute(self, context: Context) -> Json:
        """Ask, keep prompt and execution records with the result, and make of the answer what the step gives."""
        result = context.result
        question = await self.question(context)
        result.prompts[self.name] = question.prompt
        if context.judge is None:
            raise RecordError("judge-unavailable", "there is no judge to ask", at=self.at)
        try:
            answer = await context.judge.ask(question)
        except JudgeError as error:
            error.at = error.at or self.at
            if error.execution is not None:
                self._keep(result, error.execution)
            raise
        self._keep(result, answer.execution)
        if self.score is not None:
            return as_score(await self.score(context, answer.value), self.at)
        return answer.value

    def _keep(self, result: ScorerResult, execution: dict[str, Json]) -> None:
        """The execution record; its prompt is the one that was sent, after input processors took things out."""
        result.prompts[self.name] = execution.get("prompt", result.prompts[self.name])
        result.judge.setdefault(self.name, []).append(execution)


async def score_field(_context: Context, answer: Json) -> Json:
    """The number of a plain score question."""
    return answer["score"]


def score_level(numbers: Mapping[str, float]) -> Callable[[Context, Json], Awaitable[Json]]:
    """The number of the label that the judge chose; label and reasoning are kept as ``judgeOutput``."""

    async def score(context: Context, answer: Json) -> Json:
        keep_output(context, answer)
        return numbers[answer["label"]]

    return score


def score_calculated(calculate: Text, at: Json) -> Callable[[Context, Json], Awaitable[Json]]:
    """``calculateScore`` over the judge's structured answer."""

    async def score(context: Context, answer: Json) -> Json:
        keep_output(context, answer)
        context.names["analyzeStepResult"] = context.names["results"].get("analyzeStepResult")
        context.names["judgeOutput"] = answer
        try:
            return await calculate(context)
        except RecordError as error:
            error.at = error.at or at
            raise
        finally:
            del context.names["analyzeStepResult"], context.names["judgeOutput"]

    return score


def keep_output(context: Context, answer: Json) -> None:
    context.result.judge_output = answer
    context.result.has_judge_output = True
