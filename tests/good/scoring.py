"""Functions that the files beside this one name."""

from __future__ import annotations

from typing import Any


def tidy(run: dict[str, Any], limit: int) -> dict[str, Any]:
    return {"output": run["output"][:limit]}


def statements(run: dict[str, Any], params: dict[str, Any], sep: str = ".") -> list[str]:
    return [part for part in str(run["output"]).split(sep) if part][: params.get("most")]


def count(results: dict[str, Any]) -> int:
    return len(results["preprocessStepResult"])


def share(results: dict[str, Any], *, of: int) -> float:
    return float(results["analyzeStepResult"]) / of


def because(score: float) -> str:
    return f"it is {score}"


def question(run: dict[str, Any], tone: str) -> str:
    return f"Is this {tone}? {run['output']}"


def number(judge_output: dict[str, Any], analyze_step_result: Any, scale: float = 1) -> float:
    return float(judge_output["points"]) / scale + bool(analyze_step_result)


def wait(retry_count: int, base: float = 100) -> float:
    return base * 2**retry_count


def is_busy(error: Any, word: str = "busy") -> bool:
    return word in str(error)


def process_input(messages: Any) -> Any:
    return messages


def process_output(answer: Any) -> Any:
    return answer


def process_api_error(error: Any, retry_count: int) -> None:
    del error, retry_count
