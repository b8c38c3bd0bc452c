"""For pytest: scorer files are collected as tests, each ``tests`` entry an item (``pytest scorers/``).

Files in a folder named ``scorers`` are collected, and files that are named on the command line; the ini option
``scorerkit_files`` names others by glob.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.trials import Trial

SUFFIXES = (".yaml", ".yml", ".toml")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The ini option that names further files."""
    parser.addini("scorerkit_files", "Scorer files to collect, as globs of paths below the root.", type="args")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a scorer file that has tests."""
    if file_path.suffix.lower() not in SUFFIXES or not _wanted(file_path, parent.config):
        return None
    from scorerkit.library import LOOKS_LIKE_SCORER

    content = file_path.read_bytes()[: 2**20]
    if not LOOKS_LIKE_SCORER.search(content) or b"tests" not in content:
        return None
    return ScorerFile.from_parent(parent, path=file_path)


def _wanted(file: Path, config: pytest.Config) -> bool:
    if "scorers" in file.parent.parts or file in {Path(name.partition("::")[0]).absolute() for name in config.args}:
        return True
    relative = file.relative_to(config.rootpath) if file.is_relative_to(config.rootpath) else file
    return any(relative.match(pattern) for pattern in config.getini("scorerkit_files"))


class ScorerFile(pytest.File):
    """A scorer file; its mistakes fail the collection."""

    def collect(self) -> Iterator[pytest.Item]:
        """The tests of the file, run when the first of them is asked for."""
        from scorerkit.loader import check_file, open_project
        from scorerkit.report.problems.as_text import show

        settings = open_project()
        checked = check_file(self.path, str(self.path), settings)
        if checked.errors:
            raise self.CollectError("\n".join(show(problem) for problem in checked.errors))
        tests = checked.definition.get("tests") if checked.definition is not None else None
        run = _Once(checked, settings)
        for index, test in enumerate(tests or ()):
            yield ScorerTest.from_parent(self, name=test["name"], index=index, run=run)


class _Once:
    """The trials of a file, carried out together."""

    def __init__(self, checked: Any, settings: Any) -> None:
        self._given = checked, settings
        self._trials: list[Trial] | None = None

    def trial(self, index: int) -> Trial:
        """The outcome of one test."""
        from scorerkit.trials import run_trials

        if self._trials is None:
            self._trials = asyncio.run(run_trials(*self._given))
        return self._trials[index]


class TrialFailed(Exception):  # noqa: N818 - carries an outcome
    """A test of a scorer file that did not come out as expected."""


class ScorerTest(pytest.Item):
    """One entry of ``tests``."""

    def __init__(self, *, index: int, run: _Once, **more: Any) -> None:
        super().__init__(**more)
        self._index = index
        self._run = run

    def runtest(self) -> None:
        """Fail with the differences."""
        trial = self._run.trial(self._index)
        if not trial.passed:
            raise TrialFailed(f"{trial.place}: " + "\n  ".join(trial.differences))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The differences, without a traceback."""
        if isinstance(excinfo.value, TrialFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test stands."""
        return self.path, None, f"{self.path.name}: {self.name}"
