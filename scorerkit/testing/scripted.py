from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from scorerkit.judge.format import Misfit, Unreadable
from scorerkit.model.judge import Answer, JudgeError

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Question


class ScriptedJudge:
    """A judge whose answers are given, by step.

    An answer is a JSON value, raw text as a provider would send it, an exception to raise, a function of the
    question, or a list of those that is used up in turn (its last entry repeats). What the scorer's schema does not
    allow is refused as it would be from a real judge. ``questions`` keeps what was asked.
    """

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = dict(answers)
        self._turns: dict[str, int] = defaultdict(int)
        self.questions: list[Question] = []

    async def ask(self, question: Question) -> Answer:
        """The next answer for the question's step."""
        self.questions.append(question)
        if question.step not in self._answers:
            message = f"there is no answer for the step {question.step}"
            raise JudgeError("not-recorded", message, why=f"the prompt was: {question.prompt[:500]}")
        found = self._next(question.step)
        if isinstance(found, Callable):  # type: ignore[arg-type]
            found = found(question)
        if isinstance(found, BaseException):
            raise found
        return Answer(self._accepted(question, found), self._execution(question, found))

    def _next(self, step: str) -> Any:
        given = self._answers[step]
        if not isinstance(given, list):
            return given
        turn = min(self._turns[step], len(given) - 1)
        self._turns[step] += 1
        return given[turn]

    def _accepted(self, question: Question, found: Json) -> Json:
        if question.format is None:
            return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
        text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
        try:
            return question.format.read(text)
        except (Misfit, Unreadable) as error:
            message = f"the judge gave no usable answer for {question.step}: {error}"
            raise JudgeError("unusable-answer", message) from error

    @staticmethod
    def _execution(question: Question, found: Json) -> dict[str, Json]:
        return {"status": "success", "prompt": question.prompt, "output": found, "attemptCount": 1}

    async def close(self) -> None:
        """Nothing to free."""
