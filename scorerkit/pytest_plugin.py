"""For pytest: scorer files are collected as tests, each ``tests`` entry an item (``pytest scorers/``); fixtures.

Files in a folder named ``scorers`` are collected, and files that are named on the command line; the ini option
``scorerkit_files`` names others by glob. The fixtures ``load_scorer`` and ``scripted_judge`` are for tests in Python.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping

    from scorerkit.scorer import Scorer
    from scorerkit.testing import ScriptedJudge
    from scorerkit.trials import Trial

SUFFIXES = (".yaml", ".yml", ".toml")
_LOADED = pytest.StashKey[dict[tuple[str, str], "Scorer"]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The ini option that names further files."""
    parser.addini("scorerkit_files", "Scorer files to collect, as globs of paths below the root.", type="args")


@pytest.fixture
def load_scorer(request: pytest.FixtureRequest) -> Callable[..., Scorer]:
    """``load_scorer(path or id, params={…}, answers={…})``: a scorer that asks nobody.

    A relative path is looked up beside the test file, then below pytest's root, which is also where the project is.
    ``answers`` are those of tests in files; a prompt without one fails the record. A file is read once per run of
    pytest.
    """
    loaded = request.config.stash.setdefault(_LOADED, {})
    root, beside = request.config.rootpath, request.path.parent

    def load(
        source: str | os.PathLike[str],
        *,
        params: Mapping[str, Any] | None = None,
        answers: Mapping[str, Any] | None = None,
    ) -> Scorer:
        from scorerkit import scorer
        from scorerkit.judge.scripted import ScriptedTransport, scripted_judge

        near = [folder / source for folder in (beside, root) if (folder / source).is_file()]
        found = str(near[0] if near else source)
        key = found, repr(sorted((params or {}).items()))
        judge = scripted_judge(ScriptedTransport(answers or {}))
        if key not in loaded:
            loaded[key] = scorer.load_scorer(found, params=params, judge=judge, project=root)
        return replace(loaded[key], judge=judge)

    return load


@pytest.fixture
def scripted_judge() -> type[ScriptedJudge]:
    """``scripted_judge({step: answer})``: a judge that says what it is told, and keeps its ``questions``."""
    from scorerkit.testing import ScriptedJudge

    return ScriptedJudge


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
