"""The records that are scored: made up, always the same, about 370 bytes each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

QUESTION = "which of the two sentences says what the paragraph above it says, and why do you think that it does"
ANSWER = "the second one, because the first leaves out who did it"


def write(target: Path, count: int) -> Path:
    """A JSONL file of ``count`` records, every third of which has the wrong output."""
    with target.open("w", encoding="utf-8") as file:
        for index in range(count):
            answer = f"{ANSWER} ({index})"
            record = {
                "runId": f"r-{index:07d}",
                "input": f"question {index}: {QUESTION}",
                "output": answer if index % 3 else f"{answer}, or so",
                "groundTruth": answer,
                "metadata": {"topic": ("grammar", "meaning", "style")[index % 3], "number": index},
            }
            file.write(f"{json.dumps(record)}\n")
    return target
