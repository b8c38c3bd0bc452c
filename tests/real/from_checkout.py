"""Records for the checks in this folder, out of a checkout of the repository that published them.

    python tests/real/from_checkout.py llmbar LLMBar records/

Nothing is downloaded, and nothing of the data is part of this project.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Row = dict[str, Any]

LLMBAR_SUBSETS = ("Natural", *(f"Adversarial/{name}" for name in ("Neighbor", "GPTInst", "GPTOut", "Manual")))
LLMBAR_JUDGES = (
    "GPT-4/Vanilla",
    "GPT-4/CoT",
    "GPT-4/Metrics_Reference",
    "ChatGPT/Vanilla",
    "ChatGPT/CoT",
    "GPT-4/Rating",
)


def llmbar(checkout: Path) -> dict[str, Iterable[Row]]:
    """princeton-nlp/LLMBar: pairs of answers with the answers of six judges, and the statistics of all of them."""
    root = checkout / "Dataset" / "LLMBar"
    return {
        "llmbar_runs.jsonl": [row for subset in LLMBAR_SUBSETS for row in _pairs(root, subset)],
        "llmbar_expected.jsonl": [row for subset in LLMBAR_SUBSETS for row in _statistics(root, subset)],
    }


def _pairs(root: Path, subset: str) -> Iterator[Row]:
    judged = {judge: _read(root / subset / "evaluators" / judge / "result.json") for judge in LLMBAR_JUDGES}
    name = subset.rpartition("/")[2].lower()
    for index, pair in enumerate(_read(root / subset / "dataset.json")):
        recorded = {judge: _completions(results[index]["results"][-1]) for judge, results in judged.items()}
        yield {
            "runId": f"llmbar-{name}-{index}",
            "input": pair["input"],
            "output": {"output_1": pair["output_1"], "output_2": pair["output_2"]},
            "groundTruth": pair["label"],
            "metadata": {"dataset": "llmbar", "subset": subset, "recorded": recorded},
        }


def _completions(found: Row) -> Row:
    """What a judge said: about the pair in both orders, or about each answer; the text without its finish reason."""
    if "score_1" in found:
        return {key: found[key][0] for key in ("score_1", "score_2")}
    return {"ab": found["swap = False"]["completion"][0], "ba": found["swap = True"]["completion"][0]}


def _statistics(root: Path, subset: str) -> Iterator[Row]:
    for file in sorted((root / subset / "evaluators").glob("*/*/statistics.json")):
        judge, strategy = file.parts[-3:-1]
        yield {"set": f"LLMBar/{subset}", "judge": judge, "strategy": strategy, "published": _read(file)}


def tau(checkout: Path) -> dict[str, Iterable[Row]]:
    """sierra-research/tau-bench: conversations of an airline's agent, and the calls in them against the expected."""
    found = _read(checkout / "historical_trajectories" / "gpt-4o-airline.json")
    return {"tau_airline_runs.jsonl": map(_conversation, found), "tau_airline_rewards.jsonl": map(_rewarded, found)}


def _conversation(found: Row) -> Row:
    return {
        "runId": _tau_id(found),
        "input": {"task": found["info"]["task"]["instruction"]},
        "output": [message for message in found["traj"] if message["role"] != "system"],
        "groundTruth": {"reward": found["reward"], "expectedActions": found["info"]["task"]["actions"]},
        "metadata": {"dataset": "tau-bench-airline", "taskId": found["task_id"], "trial": found["trial"]},
    }


def _rewarded(found: Row) -> Row:
    expected = found["info"]["task"]["actions"]
    made = [call["function"] for message in found["traj"] for call in message.get("tool_calls") or ()]
    return {
        "runId": _tau_id(found),
        "taskId": found["task_id"],
        "trial": found["trial"],
        "reward": found["reward"],
        "expectedCalls": [{"name": action["name"], "args": action["kwargs"]} for action in expected],
        "actualCalls": [{"name": call["name"], "args": json.loads(call["arguments"])} for call in made],
    }


def _tau_id(found: Row) -> str:
    return f"tau-airline-{found['task_id']}-{found['trial']}"


def pandalm(checkout: Path) -> dict[str, Iterable[Row]]:
    """WeOpenML/PandaLM: pairs of answers with the votes of three people and the verdicts of two judges."""
    pairs = _read(checkout / "data" / "testset-v1.json")
    judges = (("gpt-3.5-turbo", "gpt"), ("pandalm-7b", "pandalm"))
    verdicts = {
        judge: (prefix, {row["idx"]: row for row in _read(checkout / "data" / f"{judge}-testset-v1.json")})
        for judge, prefix in judges
    }
    return {"pandalm_runs.jsonl": (_compared(pair, verdicts) for pair in pairs)}


def _compared(pair: Row, verdicts: dict[str, tuple[str, dict[int, Row]]]) -> Row:
    votes = [pair[f"annotator{number}"] for number in (1, 2, 3)]
    recorded = {
        judge: {
            "verdict": rows[pair["idx"]][f"{prefix}_result"],
            "reason": _text(rows[pair["idx"]][f"{prefix}_reason"]),
        }
        for judge, (prefix, rows) in verdicts.items()
    }
    return {
        "runId": f"pandalm-{pair['idx']}",
        "input": {"instruction": pair["instruction"], "input": _text(pair["input"])},
        "output": {"response1": _text(pair["response1"]), "response2": _text(pair["response2"])},
        "groundTruth": max(votes, key=votes.count),
        "metadata": {"dataset": "pandalm-testset-v1", "annotators": votes, "recorded": recorded},
    }


def _text(value: Any) -> str:
    """These files say NaN for a text that is empty."""
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else str(value)


def _read(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))


SOURCES: dict[str, Callable[[Path], dict[str, Iterable[Row]]]] = {"llmbar": llmbar, "tau": tau, "pandalm": pandalm}


def convert(source: str, checkout: Path, target: Path) -> list[Path]:
    """Write the records of one repository into a folder; gives the files that were written."""
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name, rows in SOURCES[source](checkout).items():
        lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
        (target / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        written.append(target / name)
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description="Write records for the checks on published data.")
    parser.add_argument("source", choices=sorted(SOURCES))
    parser.add_argument("checkout", type=Path, help="the repository's folder")
    parser.add_argument("target", type=Path, help="where the records go; SCORERKIT_DATA for the checks")
    given = parser.parse_args()
    for file in convert(given.source, given.checkout, given.target):
        print(file)


if __name__ == "__main__":
    main()
