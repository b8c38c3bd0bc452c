"""A profile of a code scorer, added up by what the code is for."""

from __future__ import annotations

import cProfile
import os
import pstats
import sys
from typing import TYPE_CHECKING

from measure import HERE, ROOT
from suites import Table

if TYPE_CHECKING:
    from pathlib import Path

STEP = ("scorerkit/steps", "scorerkit/expression", "scorerkit/template", "scorerkit/conversion")

PARTS = (
    ("the first pass (ids, duplicates, encoding)", ("_take_census", "identity.py", "opening.py")),
    ("reading JSON, making records of it", ("orjson.loads", "scorerkit/dataset", "readline")),
    ("the step itself", (*STEP, "jinja2", "<template>", "benchmarks/scorers", "inspect.py")),
    ("the pipeline around it", ("scorerkit/pipeline", "scorerkit/model")),
    ("keeping order, counting, stopping", ("scorerkit/experiment", "scorerkit/report", "scorerkit/commands")),
    ("making results JSON, writing them", ("orjson.dumps", "scorerkit/results", "_io.FileIO")),
)
"""What the code is for → parts of its names; the first that fits takes it."""


def profile(data: Path, folder: Path) -> Table:
    """The share of each part in the own time of all functions, in one run, start-up left out."""
    table = Table("Where the time goes", ("part", "function", "expression"))
    shares = [_shares(kind, data, folder) for kind in ("function", "expression")]
    for part in (*(name for name, _ in PARTS), "the rest"):
        table.rows.append((part, *(f"{share[part]:.0%}" for share in shares)))
    table.notes.append(_words(shares[0]))
    return table


def _words(shares: dict[str, float]) -> str:
    first, second = sorted((name for name, _ in PARTS), key=lambda name: -shares[name])[:2]
    return (
        f"Own time of all functions in one run, start-up left out; the profiler weighs small functions too much. With "
        f"a function, most goes into {first} ({shares[first]:.0%}) and {second} ({shares[second]:.0%}). The rest is "
        "built-in functions that all parts call."
    )


def _shares(kind: str, data: Path, folder: Path) -> dict[str, float]:
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    from scorerkit.main import run

    scorer = str(HERE / "scorers" / f"exact-{kind}.yaml")
    command = ["run", scorer, "--data", str(data), "--output", str(folder / "profiled.jsonl"), "--quiet"]
    run(command)  # everything is loaded now
    profiler = cProfile.Profile()
    profiler.runcall(run, command)
    stats = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    seconds = dict.fromkeys((*(name for name, _ in PARTS), "the rest"), 0.0)
    for (file, _line, name), (_calls, _primitive, own, _total, _callers) in stats.items():
        seconds[_part(f"{file}:{name}")] += own
    return {part: value / sum(seconds.values()) for part, value in seconds.items()}


def _part(name: str) -> str:
    return next((part for part, marks in PARTS if any(mark in name for mark in marks)), "the rest")
