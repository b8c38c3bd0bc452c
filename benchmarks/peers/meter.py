"""What every driver measures and prints. Standard library only: drivers run in environments of their own."""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

for _name in ("DO_NOT_TRACK", "LOGFIRE_IGNORE_NO_CONFIG"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("LOGFIRE_SEND_TO_LOGFIRE", "false")


def arguments() -> argparse.Namespace:
    """``DATA RESULTS``, and for judged drivers the address of the server."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--scorer", type=Path)
    parser.add_argument("--base-url", default="http://127.0.0.1:1/v1")
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--engine")
    parser.add_argument("--whole", action="store_true", help="of spans: count the survey as well")
    given = parser.parse_args()
    if not given.base_url.startswith("http://127.0.0.1:"):
        parser.error("loopback addresses only")
    return given


def records(data: Path) -> list[dict[str, Any]]:
    """All records, for drivers that want them in memory."""
    with data.open("rb") as lines:
        return [json.loads(line) for line in lines]


def peak_mib() -> float:
    """The most memory this process had. Not ``ru_maxrss``: Linux carries the parent's over into a child."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return float("nan")


def tell(scored: int, started: float, ended: float | None = None) -> None:
    """One line for the caller: how many were scored, in how many seconds, with how much memory."""
    seconds = (ended or time.perf_counter()) - started
    print(json.dumps({"scored": scored, "seconds": seconds, "peakMib": peak_mib()}))
