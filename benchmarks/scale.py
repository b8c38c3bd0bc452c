"""Large, long and interrupted: with the store, on several workers, killed and taken up again."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from data import write
from measure import HERE, ROOT, Contender, alternate, driver, environment
from suites import SCORERS, Plan, Table, Target
from tree import Tree, measure

if TYPE_CHECKING:
    from pathlib import Path

HEAVY, LIGHT = 12_000, 100_000
ENGINES = (("one process", ()), ("2 processes", ("--workers", 2)), ("Dask, 2", ("--workers", 2, "--engine", "dask")),
           ("Ray, 2", ("--workers", 2, "--engine", "ray")))  # fmt: skip
KILLED_AFTER = 250
CRASHED = 500


def kept(plan: Plan) -> list[Table]:
    """The same code scorers with everything kept in the store, up to a million records."""
    table = Table("With the store", ("what", "records", "records/s", "µs a record", "peak MiB"))
    inside: dict[tuple[str, int], Contender] = {}
    for size in plan.large:
        data, results = write(plan.folder / f"runs-{size}.jsonl", size), plan.folder / "results.jsonl"
        contenders = [
            Contender(
                kind,
                driver(sys.executable, "scorerkit_run", data, results, "--scorer", SCORERS / f"exact-{kind}.yaml",
                       "--store", plan.folder / f"{kind}-{size}.db"),
                needed=True,
            )
            for kind in ("function", "expression")
        ]  # fmt: skip
        for each in alternate(contenders, plan.repeats, size):
            inside[each.name, size] = each
            per = each.inside / size
            table.rows.append((each.name, f"{size:,}", f"{1 / per:,.0f}", f"{per * 1e6:.1f}", f"{each.memory:.0f}"))
        for left in plan.folder.glob("*.db*"):
            left.unlink()
    small, large = plan.large[0], plan.large[-1]
    for kind, bound in (("function", 50_000), ("expression", 35_000)):
        first, last = inside[kind, small], inside[kind, large]
        what = f"{kind}, with the store, {large:,} records"
        table.targets += [
            Target(what, large / last.inside, bound, at_most=False, unit=" records/s"),
            Target(
                f"{kind}, with the store: time a record from {small:,} to {large:,}",
                (last.inside / large) / (first.inside / small), 1.2, at_most=True, unit="×",
            ),
            Target(
                f"{kind}, with the store: growth from {small:,} to {large:,}",
                last.memory - first.memory, 16 + 64 * (large - small) / 2**20, at_most=True, unit=" MiB",
            ),
        ]  # fmt: skip
    return [table]


def workers(plan: Plan) -> list[Table]:
    """A function that computes, and one that does next to nothing, on each engine."""
    columns = ("what", "records/s", "times one process", "s to start", "records/s once started", "MiB of all processes")
    tables = []
    for title, scorer, size in (
        ("Several workers, half a millisecond a record", "heavy-function", plan.heavy),
        ("Several workers, next to nothing a record", "exact-function", plan.light),
    ):
        table = Table(f"{title}, {size:,} records", columns)
        data, results = write(plan.folder / f"runs-{size}.jsonl", size), plan.folder / "results.jsonl"
        tiny = write(plan.folder / "runs-2.jsonl", 2)
        found: dict[str, list[Tree]] = {name: [] for name, _ in ENGINES}
        started: dict[str, list[Tree]] = {name: [] for name, _ in ENGINES}
        for _ in range(plan.repeats):
            for name, words in ENGINES:
                given = (results, "--scorer", SCORERS / f"{scorer}.yaml", *words)
                started[name].append(measure(driver(sys.executable, "scorerkit_run", tiny, *given)))
                found[name].append(measure(driver(sys.executable, "scorerkit_run", data, *given)))
        one = _median(found["one process"], "seconds")
        for name, trees in found.items():
            seconds, start = _median(trees, "seconds"), _median(started[name], "seconds")
            once = size / max(seconds - start, 1e-9)
            peak = f"{_median(trees, 'peak'):,.0f}"
            row = (name, f"{size / seconds:,.0f}", f"{one / seconds:.2f}", f"{start:.2f}", f"{once:,.0f}", peak)
            table.rows.append(row)
        if scorer == "heavy-function":
            times = one / _median(found["2 processes"], "seconds")
            table.targets.append(Target("2 processes against one, computing", times, 1.6, at_most=False, unit="×"))
        tables.append(table)
    return [*tables, _judged_workers(plan)]


def _judged_workers(plan: Plan) -> Table:
    """Where the processors' time goes when a judge answers at once: clients and server share the cores.

    What it takes to start is measured by runs over two records, and taken off.
    """
    columns = (
        "what",
        "s to start",
        "records/s once started",
        "CPU ms a record: clients",
        "server",
        "of the cores in use",
    )
    table = Table("Several workers, judged, 0 ms, 32 at a time", columns)
    data, tiny = write(plan.folder / "judged.jsonl", plan.judged), write(plan.folder / "runs-2.jsonl", 2)
    for name, words in ENGINES[:2]:
        whole = [_asked(plan, data, words) for _ in range(plan.repeats)]
        start = [_asked(plan, tiny, words) for _ in range(plan.repeats)]
        seconds, cpu, server = (
            statistics.median(each[index] for each in whole) - statistics.median(each[index] for each in start)
            for index in range(3)
        )
        begun = statistics.median(each[0] for each in start)
        used = (cpu + server) / seconds / (os.cpu_count() or 1)
        each = (f"{1000 * spent / (plan.judged - 2):.2f}" for spent in (cpu, server))
        rate = f"{(plan.judged - 2) / seconds:,.0f}"
        table.rows.append((name, f"{begun:.2f}", rate, *each, f"{used:.0%}"))
    table.notes.append("To start, each process loads instructor and the SDK for itself.")
    return table


def _asked(plan: Plan, data: Path, words: tuple[object, ...]) -> tuple[float, float, float]:
    """Seconds inside, CPU seconds of all clients, and of the server."""
    with _Server(0) as server:
        given = (data, plan.folder / "results.jsonl", "--base-url", server.url, "--concurrency", 32, *words)
        tree = measure(driver(sys.executable, "scorerkit_run", *given, "--scorer", SCORERS / "judged.yaml"))
        return tree.seconds, tree.cpu, _cpu_of(server.pid)


def crash(plan: Plan) -> list[Table]:
    """``kill -9`` in mid-run, then the tool's own way to go on; 50 ms an answer, 8 at a time."""
    table = Table(
        f"kill -9 after {KILLED_AFTER} of {CRASHED} answers",
        ("what", "requests to go on", "asked twice", "records at the end"),
    )
    for name, attempt in (("scorerkit run --resume", _scorerkit), ("inspect-ai eval-retry", _inspect)):
        if name.startswith("inspect") and plan.python_of("inspect") is None:
            table.notes.append("inspect-ai is not installed and was left out.")
            continue
        again, total, ended = attempt(plan)
        table.rows.append((name, str(again), str(total - CRASHED), str(ended)))
        if name.startswith("scorerkit"):
            table.targets.append(Target("asked twice after kill -9", total - CRASHED, 8, at_most=True))
            table.targets.append(Target("records at the end", ended, CRASHED, at_most=False))
    return [table]


def _scorerkit(plan: Plan) -> tuple[int, int, int]:
    data, results = write(plan.folder / "crash.jsonl", CRASHED), plan.folder / "crash-results.jsonl"
    env = {**environment(), "OPENAI_API_KEY": "local", "SCORERKIT_STORE": str(plan.folder / "crash.db")}
    command = [sys.executable, "-m", "scorerkit", "run", str(SCORERS / "judged.yaml"), "--data", str(data), "--output",
               str(results), "--quiet", "-j", "8"]  # fmt: skip
    with _Server() as server:
        told = ["--base-url", server.url]
        _kill_in_mid_run([*command, *told], ROOT, env, server)
        before = server.requests()
        subprocess.run([*command, *told, "--resume"], cwd=ROOT, env=env, check=True, capture_output=True)
        total = server.requests()
    return total - before, total, sum(1 for _ in results.open("rb"))


INSPECT_TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import model_graded_qa
from inspect_ai.solver import solver

@solver
def stored():
    async def solve(state, generate):
        state.output.completion = "an answer"
        return state
    return solve

@task
def bench():
    samples = [Sample(id=i, input=f"question {i}", target="an answer") for i in range(COUNT)]
    return Task(dataset=MemoryDataset(samples), solver=stored(), scorer=model_graded_qa())
"""


def _inspect(plan: Plan) -> tuple[int, int, int]:
    folder = plan.folder / "inspect"
    folder.mkdir()
    (folder / "bench.py").write_text(INSPECT_TASK.replace("COUNT", str(CRASHED)))
    python = plan.python_of("inspect")
    assert python is not None
    program = python.removesuffix("python") + "inspect"
    with _Server() as server:
        env = {**environment(), "OPENAI_API_KEY": "local", "OPENAI_BASE_URL": server.url, "DO_NOT_TRACK": "1",
               "INSPECT_LOG_DIR": str(folder / "logs"), "XDG_DATA_HOME": str(folder / "data")}  # fmt: skip
        command = [program, "eval", "bench.py", "--model", "openai/gpt-4o-mini", "-M", "responses_api=false",
                   "--max-connections", "8", "--max-samples", "8", "--display", "none"]  # fmt: skip
        _kill_in_mid_run(command, folder, env, server)
        before = server.requests()
        log = next((folder / "logs").glob("*.eval"))
        subprocess.run(
            [program, "eval-retry", str(log), "--max-connections", "8", "--max-samples", "8", "--display", "none"],
            cwd=folder, env=env, check=True, capture_output=True,
        )  # fmt: skip
        total = server.requests()
        last = max((folder / "logs").glob("*.eval"), key=lambda path: path.stat().st_mtime)
        dumped = subprocess.run(
            [program, "log", "dump", str(last)], env=env, check=True, capture_output=True, text=True
        )
    return total - before, total, len(json.loads(dumped.stdout)["samples"])


class _Server:
    """The loopback server, answering after so many milliseconds, and how many requests it has had."""

    def __init__(self, delay: int = 50) -> None:
        self._delay = delay

    def __enter__(self) -> _Server:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "loopback.py"), str(self._delay)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        self.pid = self._process.pid
        return self

    def requests(self) -> int:
        import urllib.request

        with urllib.request.urlopen(f"{self.url}/count", timeout=5) as answer:
            return int(answer.read())

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def _kill_in_mid_run(command: list[str], folder: Path, env: dict[str, str], server: _Server) -> None:
    process = subprocess.Popen(
        command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while server.requests() < KILLED_AFTER and process.poll() is None:
        time.sleep(0.02)
    if process.poll() is not None:
        message = f"ended before it could be killed: {' '.join(command)}"
        raise SystemExit(message)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(0.2)


def _median(trees: list[Tree], name: str) -> float:
    return statistics.median(getattr(tree, name) for tree in trees)


def _cpu_of(pid: int) -> float:
    """Seconds that a process has been on a processor."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:  # noqa: PTH123
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
