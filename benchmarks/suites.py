"""What is measured, and against what: each suite gives rows of a table and the targets that it checks."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from data import write, write_spans
from measure import HERE, Contender, alternate, driver

SCORERS = HERE / "scorers"
SIZES = (1_000, 10_000, 100_000)
LIVE_TRACES = 20_000
"""Of three spans each, as ``peers/live_app.py`` makes them."""
JUDGED = ((0, 32), (50, 64))
"""Milliseconds that an answer takes, and records at a time."""


class Target(NamedTuple):
    """A bound that a figure of this run must keep."""

    what: str
    found: float
    bound: float
    at_most: bool
    unit: str = ""

    @property
    def kept(self) -> bool:
        return self.found <= self.bound if self.at_most else self.found >= self.bound


@dataclass
class Table:
    """The outcome of a suite."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """How much is measured: a folder for files, the peers' environments, repeats, and sizes.

    ``busy`` is how many processes the machine was running on average in the minute before.
    """

    folder: Path
    peers: Path | None
    repeats: int = 3
    sizes: tuple[int, ...] = SIZES
    judged: int = 2_000
    large: tuple[int, ...] = (1_000, 100_000, 1_000_000)
    heavy: int = 30_000
    light: int = 100_000
    traces: int = 12_500
    busy: float = field(default_factory=lambda: os.getloadavg()[0])

    def python_of(self, peer: str) -> str | None:
        """The interpreter of a peer's environment; None where it is not installed."""
        python = (self.peers or Path("/nonexistent")) / peer / "bin" / "python"
        return str(python) if python.exists() else None


def start_up(plan: Plan) -> list[Table]:
    """The command's start against a bare interpreter that loads what any such command needs."""
    module = [sys.executable, "-m", "scorerkit"]
    floor = Contender(
        "python, with argparse, json, asyncio", [sys.executable, "-c", "import argparse, json, asyncio"], needed=True
    )
    helps = Contender("scorerkit --help", [*module, "--help"], needed=True)
    check = Contender("scorerkit check, one file", [*module, "check", str(SCORERS / "judged.yaml")], needed=True)
    measured = alternate([floor, helps, check], max(plan.repeats, 5))
    table = Table("Start-up", ("what", "seconds", "times the floor"))
    for each in measured:
        table.rows.append((each.name, f"{each.wall:.3f}", f"{each.wall / floor.wall:.1f}"))
    table.targets += [
        Target("`--help` against the floor", helps.wall / floor.wall, 3, at_most=True, unit="×"),
        Target("`check` against the floor", check.wall / floor.wall, 6, at_most=True, unit="×"),
    ]
    return [table]


def code(plan: Plan) -> list[Table]:
    """One function and one expression, results on disk, against a plain loop and peers; and their memory."""
    speed = Table("Code scorers", ("what", "records", "records/s", "records/s of the whole process", "peak MiB"))
    inside: dict[tuple[str, int], Contender] = {}
    for size in plan.sizes:
        contenders = _code_contenders(plan, size)
        measured = alternate(contenders, plan.repeats, size)
        inside |= {(each.name, size): each for each in measured}
        speed.rows += [_speed_row(each, size) for each in measured]
        speed.notes += [f"{each.name}, {size:,} records: {each.failure}" for each in contenders if each.failure]
    if plan.python_of("pydantic_evals") is None:
        speed.notes.append("pydantic-evals is not installed and was left out.")
    memory = Table("Memory of code scorers", ("what", "least size, MiB", "largest size, MiB", "growth, MiB"))
    for name in ("function", "expression"):
        _check_speed(speed, name, inside, plan)
        small, large = (inside[name, size].memory for size in (plan.sizes[0], plan.sizes[-1]))
        memory.rows.append((name, f"{small:.1f}", f"{large:.1f}", f"{large - small:.1f}"))
        what = f"{name}: growth from {plan.sizes[0]:,} to {plan.sizes[-1]:,} records"
        memory.targets.append(Target(what, large - small, 20, at_most=True, unit=" MiB"))
    return [speed, memory]


def _code_contenders(plan: Plan, size: int) -> list[Contender]:
    data = write(plan.folder / f"runs-{size}.jsonl", size)
    results = plan.folder / "results.jsonl"
    contenders = [Contender("plain loop with orjson", driver(sys.executable, "floor_loop", data, results), needed=True)]
    for kind in ("function", "expression"):
        scorer = SCORERS / f"exact-{kind}.yaml"
        command = driver(sys.executable, "scorerkit_run", data, results, "--scorer", scorer)
        contenders.append(Contender(kind, command, needed=True))
    python = plan.python_of("pydantic_evals")
    if python and size <= 10_000:  # its report is held in memory
        command = driver(python, "pydantic_evals_code", data, results)
        contenders.append(Contender("pydantic-evals, in memory", command))
    return contenders


def _speed_row(each: Contender, size: int) -> tuple[str, ...]:
    return (
        each.name,
        f"{size:,}",
        f"{size / each.inside:,.0f}",
        f"{size / each.wall:,.0f}",
        f"{each.memory:.0f}",
    )


def _check_speed(table: Table, name: str, inside: dict[tuple[str, int], Contender], plan: Plan) -> None:
    size = plan.sizes[-1]
    mine = inside[name, size]
    bound = {"function": 85_000, "expression": 45_000}[name]
    table.targets += [
        Target(f"{name}, {size:,} records", size / mine.inside, bound, at_most=False, unit=" records/s"),
        Target(f"{name}, whole process", size / mine.wall, 35_000, at_most=False, unit=" records/s"),
    ]
    common = min(10_000, size)
    peer = inside.get(("pydantic-evals, in memory", common))
    if peer is not None:
        times = peer.inside / inside[name, common].inside
        table.targets.append(Target(f"{name} against pydantic-evals", times, 10, at_most=False, unit="×"))


def judged(plan: Plan) -> list[Table]:
    """One request a record: what the client costs where answers take no time, and where they take their usual time."""
    return [_judged(plan, delay, at_a_time) for delay, at_a_time in JUDGED]


def _judged(plan: Plan, delay: int, at_a_time: int) -> Table:
    title = f"Judged, {delay} ms, {at_a_time} at a time"
    table = Table(title, ("what", "records", "records/s", "times the tuned floor", "peak MiB"))
    data, results = write(plan.folder / "judged.jsonl", plan.judged), plan.folder / "results.jsonl"
    server = subprocess.Popen(
        [sys.executable, str(HERE / "loopback.py"), str(delay)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        given = (data, results, "--base-url", server.stdout.readline().strip(), "--concurrency", at_a_time)
        scorer = ("--scorer", SCORERS / "judged.yaml")
        contenders = [
            Contender("instructor, tuned", driver(sys.executable, "instructor_tuned", *given), needed=True),
            Contender(
                "instructor, as usually written", driver(sys.executable, "instructor_judged", *given), needed=True
            ),
            Contender("OpenAI SDK alone", driver(sys.executable, "openai_judged", *given), needed=True),
            Contender("scorerkit run", driver(sys.executable, "scorerkit_run", *given, *scorer), needed=True),
        ]
        if python := plan.python_of("pydantic_evals"):
            contenders.append(Contender("pydantic-evals, in memory", driver(python, "pydantic_evals_judged", *given)))
        measured = {each.name: each for each in alternate(contenders, plan.repeats, plan.judged)}
    finally:
        server.communicate()
    floor, mine = measured["instructor, tuned"], measured["scorerkit run"]
    for each in measured.values():
        rate, ratio = plan.judged / each.inside, floor.inside / each.inside
        table.rows.append((each.name, f"{plan.judged:,}", f"{rate:,.0f}", f"{ratio:.2f}", f"{each.memory:.0f}"))
    table.notes += [f"{each.name}: {each.failure}" for each in contenders if each.failure]
    what = f"judged, {delay} ms"
    table.targets.append(Target(f"{what}, against the tuned floor", floor.inside / mine.inside, 0.95, False, "×"))
    if not delay:
        times = measured["instructor, as usually written"].inside / mine.inside
        table.targets.append(Target(f"{what}, against instructor as usually written", times, 1.5, False, "×"))
    return table


def traces(plan: Plan) -> list[Table]:
    """Spans of OpenTelemetry become records, against the parsing of their lines alone."""
    spans = 8 * plan.traces
    table = Table(f"Traces, {spans:,} spans in lines", ("what", "spans/s", "times the floor", "peak MiB"))
    data = write_spans(plan.folder / "spans.jsonl", plan.traces)
    given = (data, plan.folder / "results.jsonl")
    floor = Contender("orjson over the same lines", driver(sys.executable, "floor_spans", *given), needed=True)
    reading = Contender("reading for scoring", driver(sys.executable, "scorerkit_spans", *given), needed=True)
    whole = driver(sys.executable, "scorerkit_spans", *given, "--whole")
    both = Contender("with the survey before it", whole, needed=True)
    for each in alternate([floor, reading, both], plan.repeats, plan.traces):
        ratio = floor.inside / each.inside
        table.rows.append((each.name, f"{spans / each.inside:,.0f}", f"{ratio:.2f}", f"{each.memory:.0f}"))
    table.targets.append(Target("traces against orjson", floor.inside / reading.inside, 0.3, at_most=False, unit="×"))
    return [table]


def live(plan: Plan) -> list[Table]:
    """What scoring in the background costs an application that makes spans as fast as it can."""
    table = Table("A living application, 60,000 spans", ("what", "spans/s", "times the SDK alone", "peak MiB"))
    given = (plan.folder / "none", plan.folder / "results.jsonl")
    alone = Contender("OpenTelemetry SDK", driver(sys.executable, "live_app", *given), needed=True)
    scored = driver(sys.executable, "live_app", *given, "--scorer", "waiting")
    both = Contender("with a scorer that takes 10 ms", scored, needed=True)
    for each in alternate([alone, both], max(plan.repeats, 5), LIVE_TRACES):
        ratio = each.inside / alone.inside
        table.rows.append((each.name, f"{3 * LIVE_TRACES / each.inside:,.0f}", f"{ratio:.3f}", f"{each.memory:.0f}"))
    table.targets.append(Target("a scored application", both.inside / alone.inside, 1.05, at_most=True, unit="×"))
    return [table]
