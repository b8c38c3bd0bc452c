"""The processes that score for a command."""

import subprocess

MARKS = ("scorerkit.engine.process", "spawn_main", "ray::Scorer")


def workers_below(pid):
    """Those below one process."""
    command = ["ps", "-eww", "-o", "pid,ppid,args", "--no-headers"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in found.splitlines()]
    below, more = {pid}, True
    while more:
        fresh = {int(row[0]) for row in rows if int(row[1]) in below} - below
        below |= fresh
        more = bool(fresh)
    workers = [int(row[0]) for row in rows if int(row[0]) in below and any(mark in row[2] for mark in MARKS)]
    assert workers, found
    return workers
