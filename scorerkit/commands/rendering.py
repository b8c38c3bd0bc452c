"""Prompts of one record, shown and not sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorerkit.dataset import Cuts, open_dataset
from scorerkit.errors import ScorerkitError
from scorerkit.model.judge import Answer, JudgeError
from scorerkit.model.run import RUN_KEYS, ScorerRun

if TYPE_CHECKING:
    from scorerkit.model.judge import Question
    from scorerkit.model.plan import Plan


class ShowingJudge:
    """Shows each question; goes on only where the answer is recorded."""

    def __init__(self, recordings: tuple[str, ...]) -> None:
        from scorerkit.judge import open_judge

        self.stopped = False
        files = [Path(name) for name in recordings if Path(name).is_file()]
        self._replay: Any = open_judge(replay=files) if files else None

    async def ask(self, question: Question) -> Answer:
        click.echo(f"--- {question.step}: {question.config.target.model}")
        if question.instructions:
            click.echo(f"[system]\n{question.instructions}")
        click.echo(f"[user]\n{question.prompt}")
        if question.format is not None:
            click.echo(f"[schema]\n{json.dumps(question.format.schema, ensure_ascii=False, indent=2)}")
        if self._replay is not None:
            answer: Answer = await self._replay.ask(question)
            click.echo(f"[recorded answer]\n{json.dumps(answer.value, ensure_ascii=False, indent=2)}")
            return answer
        self.stopped = True
        code, message = "not-recorded", "the next prompt needs the answer to this one"
        raise JudgeError(code, message)

    async def close(self) -> None:
        if self._replay is not None:
            await self._replay.close()


def find_run(plan: Plan, wanted: str, data: str | None) -> ScorerRun:
    """A record: a JSON object as written, or the one with this run id in the data."""
    if wanted.lstrip().startswith("{"):
        try:
            row = json.loads(wanted)
        except ValueError as error:
            message = f"--render is no JSON object: {error}"
            raise ScorerkitError(message) from error
        return ScorerRun(**{RUN_KEYS[key]: value for key, value in row.items() if key in RUN_KEYS})
    source = plan.data
    if data is None and source is None:
        message = "there is no data in which to look for the run id"
        raise ScorerkitError(message, fix="give --data FILE, or the record as a JSON object")
    if data is not None or source is None:
        dataset = open_dataset(str(data))
    else:
        dataset = open_dataset(
            source.file, shown=source.shown, format=source.format, mapping=source.mapping, cuts=Cuts(source.where)
        )
    dataset.survey()
    for record in dataset:
        if record.run is not None and record.run.run_id == wanted:
            return record.run
    message = f"no record has the run id '{wanted}'"
    raise ScorerkitError(message)
