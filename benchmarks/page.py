"""The tables as Markdown, and the page that says on what they were measured."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from suites import Plan, Table

LIBRARIES = ("orjson", "jinja2", "instructor", "openai", "jsonschema-rs")

HEAD = """\
# Performance

Measured by `python benchmarks/run.py --peers FOLDER --write` in one run on one machine. Read the ratios: absolute
figures are those of this machine. All that is compared took turns (A B A B); figures are medians.

- *records/s* counts from the first record to the last result; *of the whole process* counts everything, from the start
  of the interpreter on.
- *plain loop* reads a line with orjson, compares two texts and writes a line: the least that has to be done.
- scorerkit writes every result to disk, checked and in order, and keeps nothing of it in memory.
- *pydantic-evals* makes its report in memory and writes nothing.
- *instructor, tuned* makes its response model once and uses aiohttp; *as usually written* is that library as its
  documentation shows it.
- The judged runs ask a server on the same machine that answers at once or after 50 ms: they measure what the client
  costs. With a real judge the network decides. All have loaded their libraries when their clocks start.

To run it: `python3.11 -m venv FOLDER/pydantic_evals`, `FOLDER/pydantic_evals/bin/pip install pydantic-evals
'pydantic-ai-slim[openai]'`. A peer that is not installed is left out. `--quick` takes half a minute, checks
that everything runs, and is no measurement.
"""


def markdown(table: Table) -> str:
    """One table with its targets and what was left out."""
    lines = [f"## {table.title}", ""]
    aligned = ["---", *("---:" for _ in table.columns[1:])]
    lines += [f"| {' | '.join(row)} |" for row in (table.columns, aligned, *table.rows)]
    lines += ["", *(f"{note}" for note in table.notes), *([""] if table.notes else [])]
    return "\n".join(lines)


def targets(tables: list[Table]) -> str:
    """All bounds, and whether they were kept."""
    lines = ["## Targets", "", "| what | found | bound | |", "| --- | ---: | ---: | --- |"]
    for target in (target for table in tables for target in table.targets):
        sign = "≤" if target.at_most else "≥"
        found, bound = (f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" for value in (target.found, target.bound))
        kept = "kept" if target.kept else "**missed**"
        lines.append(f"| {target.what} | {found}{target.unit} | {sign} {bound}{target.unit} | {kept} |")
    return "\n".join([*lines, ""])


def machine(plan: Plan) -> str:
    """Date, machine and versions."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES]
    if python := plan.python_of("pydantic_evals"):
        say = "import importlib.metadata as m; print(m.version('pydantic-evals'))"
        told = subprocess.run([python, "-c", say], capture_output=True, text=True, check=True)
        versions.append(f"pydantic-evals {told.stdout.strip()}")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"Measured on {dt.datetime.now(dt.UTC).date()}: {_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, "
        f"{platform.system()}; CPython {platform.python_version()}; {', '.join(versions)}. "
        f"{plan.repeats} rounds after one that does not count. Load of the machine before it began: {plan.busy:.1f}.\n"
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def page(tables: list[Table], plan: Plan) -> str:
    """The whole document."""
    return "\n".join([HEAD, machine(plan), *map(markdown, tables), targets(tables)])
