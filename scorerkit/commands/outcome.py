"""What ``run`` says when it is over, and the exit code."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from scorerkit import __version__
from scorerkit.commands.words import SHOWN_FAILURES, show_failure, tell
from scorerkit.report.as_text import numbers
from scorerkit.report.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.report.summary import Experiment
    from scorerkit.report.verdict import Verdict


def say_outcome(experiment: Experiment, options: Mapping[str, Any]) -> None:
    """Failed records one by one, then the summary."""
    most = len(experiment.failures) if options["verbose"] else SHOWN_FAILURES
    for run_id, error in experiment.failures[:most]:
        show_failure(run_id, error)
    failed = sum(tally.failed for tally in experiment.tallies)
    if failed > most:
        tell(f"… and {failed - min(most, len(experiment.failures))} more failed records; all are in the results")
    if not options["quiet"]:
        tell(numbers(summarise(experiment, __version__)).rstrip("\n"))
        if experiment.replaced_surrogates:
            tell(f"{experiment.replaced_surrogates} broken characters in the data were replaced by U+FFFD")


def how_to_resume(
    called: list[str], options: Mapping[str, Any], experiment_id: str, experiment: Experiment | None
) -> str | None:
    """The command that goes on where this one ended; None if there is nothing to go on with."""
    if options["data"] == "-":
        return None
    # What fails in code fails again; a judge may answer the next time.
    failed = experiment is None or any(tally.failed and tally.plan.judged for tally in experiment.tallies)
    if not failed and experiment is not None and not experiment.not_reached:
        return None
    words = [word for word in called if not word.startswith("--resume=")]
    if "--resume" in words:
        index = words.index("--resume")
        del words[index : index + (2 if options["resume"] in words[index:] else 1)]
    return f"go on with: {shlex.join(['scorerkit', *words, '--resume', experiment_id])}"


def exit_code(verdict: Verdict, options: Mapping[str, Any]) -> int:
    """The code, after its reasons were told."""
    for reason in verdict.reasons:
        tell(f"exit {verdict.code}: {reason}")
    return 0 if verdict.code == 1 and options["exit_zero"] else verdict.code
