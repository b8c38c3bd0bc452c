from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click

from scorerkit.commands.options import allow_function, project

if TYPE_CHECKING:
    from pathlib import Path

    from scorerkit.loader import Checked
    from scorerkit.settings import Settings
    from scorerkit.trials import Trial


@click.command("test", epilog="Example: scorerkit test scorers/ --junit tests.xml")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--live", is_flag=True, help="Ask the real judge instead of taking the answers of the tests.")
@click.option("-k", "only", metavar="TEXT", help="Only tests whose name holds this text.")
@click.option("--junit", metavar="FILE", help="Write the outcomes as JUnit XML.")
@click.option("--judge-model", metavar="MODEL", help="With --live: ask this model.")
@click.option("--base-url", metavar="URL", help="With --live: where requests go.")
@click.option("--quiet", is_flag=True, help="Failures only.")
@project
@allow_function
def command(
    paths: tuple[str, ...],
    live: bool,
    only: str | None,
    junit: str | None,
    judge_model: str | None,
    base_url: str | None,
    quiet: bool,
    project: Path | None,
    allow_function: tuple[str, ...],
) -> int:
    """Run the tests inside scorer files: the judge is taken to answer what each test says.

    Exit codes: 0 all pass, 1 a test fails, 2 a file has mistakes, 5 there are no tests.
    """
    from scorerkit.commands.words import show_problems, tell
    from scorerkit.library import find_scorers
    from scorerkit.loader import check_file, open_project

    settings = open_project(project, judge_model=judge_model, base_url=base_url, allow_functions=allow_function)
    files = find_scorers(paths, settings)
    checked = [check_file(found.file, found.shown, settings) for found in files]
    errors = [problem for one in checked for problem in one.errors]
    if errors:
        show_problems(errors, [found.shown for found in files])
        return 2
    trials = asyncio.run(_all(checked, settings, live=live))
    chosen = [trial for trial in trials if only is None or only in trial.name]
    for trial in chosen:
        _show(trial, quiet=quiet)
    if junit:
        _write(junit, chosen)
    failed = sum(not trial.passed for trial in chosen)
    tell(f"{len(chosen) - failed} passed, {failed} failed")
    if not chosen:
        tell("exit 5: there are no tests")
        return 5
    return 1 if failed else 0


async def _all(checked: list[Checked], settings: Settings, *, live: bool) -> list[Trial]:
    from scorerkit.trials import run_trials

    judge: Any = None
    if live:
        from scorerkit.judge import open_judge

        judge = open_judge()
    try:
        return [trial for one in checked for trial in await run_trials(one, settings, judge)]
    finally:
        if judge is not None:
            await judge.close()


def _show(trial: Trial, *, quiet: bool) -> None:
    from scorerkit.commands.words import tell

    if trial.passed:
        if not quiet:
            tell(f"{click.style('pass', fg='green')} {trial.scorer}: {trial.name}")
        return
    tell(f"{trial.place}: {click.style('fail', fg='red')} {trial.scorer}: {trial.name}")
    for difference in trial.differences:
        tell(f"  {difference}")


def _write(name: str, trials: list[Trial]) -> None:
    from pathlib import Path

    from scorerkit.errors import ScorerkitError
    from scorerkit.report.junit import Case, render

    cases = [Case(trial.scorer, trial.name, trial.place, trial.differences) for trial in trials]
    try:
        Path(name).write_text(render(cases), "utf-8")
    except OSError as error:
        message = f"the report '{name}' cannot be written: {error.strerror}"
        raise ScorerkitError(message) from error
