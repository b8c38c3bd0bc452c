"""The faulty server as a program that tests start, and the records whose numbers decide its faults."""

import json
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
KEY = "sk-test-000111222"


class Served(NamedTuple):
    url: str

    def stats(self):
        with urllib.request.urlopen(self.url.removesuffix("/v1") + "/stats", timeout=5) as answer:
            return json.loads(answer.read())


@contextmanager
def serving(**options):
    """A server with these options, in a process of its own."""
    command = [sys.executable, HERE / "faulty.py", json.dumps(options)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Served(process.stdout.readline().strip())
        finally:
            process.stdin.close()


def records(count):
    return [{"runId": f"r{i}", "input": str(i), "output": "an answer"} for i in range(count)]
