"""Write recordings.jsonl: the answers of answers.yaml to the very prompts that scorer.yaml asks.

Run it from the root of the repository after a change of a prompt, a schema, a record or an answer::

    python examples/grounded-answer/make_recordings.py

The scorer is run as always; only what carries its requests is ours. A record that comes out failed stops the script
and leaves the old recordings as they were.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from scorerkit.judge.model_judge import ModelJudge
from scorerkit.judge.recording import Header
from scorerkit.judge.replay import RecordingTransport
from scorerkit.judge.secrets import Redactor
from scorerkit.judge.transport import Reply, Request
from scorerkit.loader import load_file, open_project
from scorerkit.model.run import RUN_KEYS, ScorerRun
from scorerkit.pipeline import score_run

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
RECORDINGS = HERE / "recordings.jsonl"
UNFINISHED = HERE / "recordings.jsonl.partial"
AUTHOR = "written-by-hand"


class Scripted:
    """A transport that answers by record and step."""

    def __init__(self, answers: dict[str, dict[str, Any]]) -> None:
        self._answers = answers

    async def send(self, request: Request) -> Reply:
        answer = self._answers[str(request.run_id)][request.step]
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return Reply(text, finish_reason="stop", model=AUTHOR)

    async def close(self) -> None:
        """Nothing is open."""


def runs() -> Iterator[ScorerRun]:
    with (HERE / "questions.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield ScorerRun(**{RUN_KEYS[key]: value for key, value in json.loads(line).items()})


async def record() -> int:
    """Score every record with the scripted answers; returns how many were scored."""
    answers = yaml.safe_load((HERE / "answers.yaml").read_text(encoding="utf-8"))
    header = Header(note="written by hand for this example (answers.yaml); no model gave these answers")
    UNFINISHED.write_text(json.dumps(header.to_json(), ensure_ascii=False) + "\n", encoding="utf-8")
    redactor = Redactor()
    judge = ModelJudge(RecordingTransport(Scripted(answers), UNFINISHED, redactor), redactor, None)
    plan = load_file(HERE / "scorer.yaml", open_project(HERE.parents[1]))
    scored = 0
    for run in runs():
        result = await score_run(plan, run, judge)
        if result.status == "failed":
            message = f"{run.run_id}: {result.error}"
            raise SystemExit(message)
        scored += result.status == "scored"
    await judge.close()
    UNFINISHED.replace(RECORDINGS)
    return scored


if __name__ == "__main__":
    print(f"{asyncio.run(record())} records scored, {RECORDINGS.name} written")
