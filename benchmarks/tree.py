"""A command with all processes that it starts: their time on the processors, and the most memory they had together."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from measure import LIMIT, ROOT, environment

EVERY = 0.05
PAGE = os.sysconf("SC_PAGE_SIZE")


class Tree(NamedTuple):
    """What one execution came to.

    Attributes:
        seconds: from the first record to the last result.
        wall: of the whole command.
        cpu: seconds of all processes on the processors.
        peak: MiB of all processes together; pages that they share count once for each.
        processes: the most there were at a time.
    """

    scored: int
    seconds: float
    wall: float
    cpu: float
    peak: float
    processes: int


def measure(command: list[str]) -> Tree:
    """Run a driver of ``peers/``.

    Raises:
        SystemExit: it failed, or took too long.
    """
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    peak, most = 0.0, 0
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None:
            if time.perf_counter() - started > LIMIT:
                process.kill()
                message = f"not finished after {LIMIT} s: {' '.join(command)}"
                raise SystemExit(message)
            below = _below(process.pid)
            peak, most = max(peak, sum(map(_resident, below))), max(most, len(below))
            time.sleep(EVERY)
        out, err = process.communicate()
    wall = time.perf_counter() - started
    if process.returncode:
        message = f"exit {process.returncode}: {err[-400:]}"
        raise SystemExit(message)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = json.loads(out.strip().splitlines()[-1])
    return Tree(told["scored"], told["seconds"], wall, cpu, peak, most)


def _below(pid: int) -> set[int]:
    """A process and all that it started, however far down."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, grown = {pid}, True
    while grown:
        more = {child for child, parent in parents.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return found


def _resident(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 2**20
    except OSError:
        return 0.0
