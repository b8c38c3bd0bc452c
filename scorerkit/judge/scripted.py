"""Answers that are given beforehand, by step: for the tests inside scorer files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scorerkit.judge.model_judge import ModelJudge
from scorerkit.judge.secrets import Redactor
from scorerkit.judge.transport import Reply
from scorerkit.model.judge import JudgeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.judge.transport import Request
    from scorerkit.model.json import Json


class ScriptedTransport:
    """Carries requests to nobody. Text is sent as a provider would send it, everything else as JSON.

    ``missing`` fills with the steps that were asked and have no answer.
    """

    def __init__(self, answers: Mapping[str, Json]) -> None:
        self._answers = answers
        self.missing: list[str] = []

    async def send(self, request: Request) -> Reply:
        """The step's answer, the sample's own where it has several."""
        if request.step not in self._answers:
            self.missing.append(request.step)
            message = f"the test gives no answer for {request.step}"
            raise JudgeError("not-recorded", message)
        answer = self._answers[request.step]
        if isinstance(answer, dict) and set(answer) == {"samples"}:
            samples = answer["samples"]
            answer = samples[min(request.sample, len(samples) - 1)]
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return Reply(text, "stop")

    async def close(self) -> None:
        """Nothing is open."""


def scripted_judge(transport: ScriptedTransport) -> ModelJudge:
    """A judge that reads and checks these answers as it would a provider's."""
    return ModelJudge(transport, Redactor(), None)
