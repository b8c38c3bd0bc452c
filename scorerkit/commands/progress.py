"""How far it is: a bar on a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from scorerkit.commands.words import tell

if TYPE_CHECKING:
    from types import TracebackType

    from scorerkit.experiment import Runner

EVERY = 10.0


class Progress:
    """Shows a runner's counts; says nothing for an experiment that is over at once."""

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self._on_terminal = sys.stderr.isatty()
        self._bar: Any = None
        self._task: Any = None
        self._started = time.monotonic()
        self._next = self._started + EVERY

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, runner: Runner) -> None:
        """Called a few times a second."""
        if not self.enabled:
            return
        now = time.monotonic()
        if self._on_terminal:
            if self._bar is None and now - self._started > 0.3:
                self._open(runner)
            if self._bar is not None:
                self._bar.update(self._task, completed=runner.tallies[0].seen, note=self._note(runner))
        elif now > self._next:
            self._next = now + EVERY
            tell(self._line(runner, now))

    def _open(self, runner: Runner) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = [BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[note]}"), TimeRemainingColumn()]
        console = Console(stderr=True)
        # Standard output carries results and is never taken over.
        self._bar = Bar(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
        self._bar.start()
        self._task = self._bar.add_task("", total=runner.dataset.total, note="")

    def _note(self, runner: Runner) -> str:
        rate = runner.tallies[0].seen / max(time.monotonic() - self._started, 1e-6)
        failed = sum(tally.failed for tally in runner.tallies)
        cost = sum(tally.cost for tally in runner.tallies)
        parts = [f"{rate:,.0f}/s"]
        if failed:
            parts.append(f"{failed} failed")
        if cost:
            parts.append(f"{cost:.4f} USD")
        return "  ".join(parts)

    def _line(self, runner: Runner, now: float) -> str:
        total = f" of {runner.dataset.total}" if runner.dataset.total else ""
        return f"{runner.tallies[0].seen}{total} records after {now - self._started:.0f} s, {self._note(runner)}"
