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


def write_spans(target: Path, traces: int) -> Path:
    """OTLP, a span a line: ``traces`` traces of eight spans with about 1.8 kB each, one after the other."""
    context = "Some context that is told again and again. " * 12
    with target.open("w", encoding="utf-8") as file:
        for trace in range(1, traces + 1):
            for span in range(1, 9):
                file.write(f"{json.dumps(_request(trace, span, f'Question {trace}. {context}'))}\n")
    return target


def _request(trace: int, span: int, text: str) -> dict[str, object]:
    asked = json.dumps([{"role": "user", "parts": [{"type": "text", "content": text}]}])
    named = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    if span == 1:
        named = {"gen_ai.operation.name": "invoke_agent", "session.id": "s", "user.id": "u"}
    said = {"gen_ai.input.messages": asked, "gen_ai.output.messages": asked.replace("user", "assistant")}
    began = 1_760_000_000_000_000_000 + span * 1_000_000_000
    made = {
        "traceId": f"{trace:032x}",
        "spanId": f"{span:016x}",
        "name": "span",
        "kind": 1,
        "startTimeUnixNano": str(began),
        "endTimeUnixNano": str(began + 500_000_000),
        "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in (named | said).items()],
    }
    if span > 1:
        made["parentSpanId"] = f"{1:016x}"
    scopes = [{"scope": {"name": "s"}, "spans": [made]}]
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": scopes}]}
