"""Processes measured in turn: A B A B, so that a busy minute of the machine falls on all of them alike."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
LIMIT = 300
"""Seconds after which a process is given up."""


@dataclass
class Contender:
    """One thing that is measured, and its measurements so far.

    Attributes:
        command: a whole command line; a driver of ``peers/`` prints one JSON line, anything else prints what it likes.
        needed: without it the run proves nothing; a peer may be missing.
    """

    name: str
    command: list[str]
    needed: bool = False
    process: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    peak: list[float] = field(default_factory=list)
    failure: str | None = None

    def measure(self, records: int | None = None) -> None:
        """Run once. What does not do what it should is left out from then on, with its reason."""
        if self.failure is not None:
            return
        started = time.perf_counter()
        try:
            done = subprocess.run(
                self.command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            self.failure = f"not finished after {LIMIT} s"
            return
        wall = time.perf_counter() - started
        if done.returncode:
            self.failure = f"exit {done.returncode}: {done.stderr.strip()[-200:]}"
            return
        if records is not None:
            told = json.loads(done.stdout.strip().splitlines()[-1])
            if told["scored"] != records:
                self.failure = f"scored {told['scored']} of {records}"
                return
            self.seconds.append(told["seconds"])
            self.peak.append(told["peakMib"])
        self.process.append(wall)

    @property
    def wall(self) -> float:
        """Median seconds of the whole process."""
        return statistics.median(self.process)

    @property
    def inside(self) -> float:
        """Median seconds from the first record to the last result."""
        return statistics.median(self.seconds)

    @property
    def memory(self) -> float:
        """Median peak in MiB."""
        return statistics.median(self.peak)


def alternate(contenders: list[Contender], repeats: int, records: int | None = None) -> list[Contender]:
    """Measure all in turn, ``repeats`` times after one round that does not count; gives those that worked.

    Raises:
        SystemExit: one that is needed did not work.
    """
    for contender in contenders:
        contender.measure(records)
        contender.process.clear()
        contender.seconds.clear()
        contender.peak.clear()
    for _ in range(repeats):
        for contender in contenders:
            contender.measure(records)
    for contender in contenders:
        if contender.needed and contender.failure is not None:
            message = f"{contender.name}: {contender.failure}"
            raise SystemExit(message)
    return [contender for contender in contenders if contender.failure is None]


def driver(python: str, name: str, *arguments: object) -> list[str]:
    """The command line of a driver in ``peers/``."""
    return [python, str(HERE / "peers" / f"{name}.py"), *map(str, arguments)]


def environment() -> dict[str, str]:
    """What every process gets: nothing that would steer it."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT)}
