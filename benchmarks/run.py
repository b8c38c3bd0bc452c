"""Measures scorerkit against floors and peers, in one run on one machine.

python benchmarks/run.py [--peers FOLDER] [--quick] [--write]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from data import write
from measure import ROOT
from page import markdown, page, targets
from scale import crash, kept, workers
from suites import Plan, Table, code, judged, live, start_up, traces
from where_time_goes import profile

PROFILED = 20_000
SUITES = {suite.__name__: suite for suite in (start_up, code, traces, live, kept, judged, workers, crash)}


Suite = Callable[[Plan], list[Table]]


def main() -> int:
    """Print the tables; exit 1 if a target is missed, unless it was a quick run."""
    parser = argparse.ArgumentParser(description="Measure scorerkit against floors and peers.")
    parser.add_argument("--peers", type=Path, help="a folder of virtual environments: pydantic_evals/")
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: does it run at all")
    parser.add_argument("--only", nargs="+", choices=SUITES, help="these suites and no others")
    parser.add_argument("--rounds", type=int, default=3, help="of each measurement, after one that does not count")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md as well")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = _SMALL if given.quick else {"repeats": given.rounds}
        plan = Plan(folder, given.peers, **small)  # type: ignore[arg-type]
        wanted = [SUITES[name] for name in given.only or SUITES]
        tables = [*_measured(plan, wanted), profile(write(folder / "profiled-runs.jsonl", PROFILED), folder)]
    print(markdown(tables[-1]))
    print(targets(tables))
    if given.write:
        (ROOT / "docs" / "performance.md").write_text(page(tables, plan), "utf-8")
    return int(not given.quick and not all(target.kept for table in tables for target in table.targets))


_SMALL = {
    "repeats": 1,
    "sizes": (1_000, 10_000),
    "judged": 200,
    "large": (1_000, 10_000),
    "heavy": 1_000,
    "light": 2_000,
    "traces": 500,
}


def _measured(plan: Plan, suites: list[Suite]) -> list[Table]:
    """The suites one after the other, each printed as soon as it is there."""
    tables = []
    for suite in suites:
        for table in suite(plan):
            print(markdown(table), flush=True)
            tables.append(table)
    return tables


if __name__ == "__main__":
    sys.exit(main())
