"""The answers that published evaluations recorded, as recordings that ``scorerkit run --replay`` reads.

    python tests/real/recordings_of.py llmbar_runs.jsonl GPT-4/Vanilla llmbar-gpt-4.jsonl

The records are those of ``from_checkout.py``: what a judge answered stands under ``metadata.recorded.JUDGE``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = {
    "llmbar": "princeton-nlp/LLMBar @ 900616bff90b6c6c8e1681f7d079250637c55992, Dataset/LLMBar/**/result.json",
    "pandalm-testset-v1": "WeOpenML/PandaLM @ 3871806e72b4832f815ecafd24d3503c73403f48, data/*-testset-v1.json",
}
"""Data set → where its recorded answers were published."""

PANDALM_VERDICTS = {0: "Tie", 1: "1", 2: "2"}
"""PandaLM's own model says numbers where GPT-3.5 says words."""


def recordings(records: list[dict[str, Any]], judge: str) -> Iterator[str]:
    """The lines of a recording: a header, then one answer for each record and step that the judge was asked."""
    dataset = records[0]["metadata"]["dataset"]
    header = {"scorerkit": "recordings", "version": 1, "match": "record", "source": f"{judge}: {SOURCES[dataset]}"}
    yield json.dumps(header)
    for record in records:
        for step, answer in _answers(record["metadata"]["recorded"][judge]):
            line = {"runId": record["runId"], "step": step, "model": judge, "answer": answer}
            yield json.dumps(line, ensure_ascii=False)


def _answers(recorded: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if "verdict" in recorded:
        verdict = PANDALM_VERDICTS.get(recorded["verdict"], recorded["verdict"])
        yield "analyze", {"reason": recorded["reason"], "verdict": verdict}
        return
    first, second = ("score_1", "score_2") if "score_1" in recorded else ("ab", "ba")
    yield "preprocess", recorded[first]
    yield "analyze", recorded[second]


def write(records: Path, judge: str, target: Path) -> Path:
    """The recording of one judge, as a file."""
    read = [json.loads(line) for line in records.read_text("utf-8").split("\n") if line]
    target.write_text("".join(f"{line}\n" for line in recordings(read, judge)), "utf-8")
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description="Write what a judge answered as a recording.")
    parser.add_argument("records", type=Path)
    parser.add_argument("judge", help="as it stands under metadata.recorded, such as GPT-4/Vanilla")
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    write(given.records, given.judge, given.target)


if __name__ == "__main__":
    main()
