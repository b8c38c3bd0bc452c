"""The exit code of an experiment, and the sentence that says why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorerkit.errors import ScorerkitError
from scorerkit.report.intervals import mean_of
from scorerkit.report.summary import gate_checks, worse_than

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.report.summary import Experiment
    from scorerkit.report.tally import Tally


class Verdict(NamedTuple):
    """An exit code and its reasons; one code has one meaning."""

    code: int
    reasons: tuple[str, ...] = ()


class Tolerance(NamedTuple):
    """``--max-errors``: a count, or a share of the records seen."""

    most: int | None = 0
    share: float | None = None

    def allows(self, failed: int, seen: int) -> bool:
        """Whether so many failures are within it."""
        if self.share is not None:
            return failed <= self.share * seen
        return failed <= (self.most or 0)


def parse_tolerance(text: str) -> Tolerance:
    """A count such as ``3`` or a percentage such as ``2%``."""
    try:
        if text.endswith("%"):
            share = float(text[:-1]) / 100
            if 0 <= share <= 1:
                return Tolerance(None, share)
        elif int(text) >= 0:
            return Tolerance(int(text))
    except ValueError:
        pass
    message = f"--max-errors cannot be '{text}'"
    raise ScorerkitError(message, fix="use a count such as 3, or a percentage such as 2%")


def verdict_of(experiment: Experiment, tolerance: Tolerance, fail_under: float | None = None) -> Verdict:
    """0, 1, 2, 3 or 5: inconclusive wins over a missed gate, so that an outage never looks like a worse answer."""
    if experiment.stop_code == "judge-refused":
        scored = any(tally.scored for tally in experiment.tallies)
        return Verdict(3 if scored else 2, (experiment.stopped or "",))
    inconclusive = tuple(_inconclusive(experiment, tolerance))
    if inconclusive:
        return Verdict(3, inconclusive)
    empty = [tally.plan.id for tally in experiment.tallies if not tally.scored]
    if empty:
        return Verdict(5, tuple(f"{name}: nothing was scored" for name in empty))
    missed = tuple(reason for tally in experiment.tallies for reason in _missed(tally, fail_under))
    return Verdict(1 if missed else 0, missed)


def _inconclusive(experiment: Experiment, tolerance: Tolerance) -> Iterator[str]:
    if experiment.stopped:
        yield experiment.stopped
    for tally in experiment.tallies:
        if not tolerance.allows(tally.failed, tally.seen):
            allowed = f"{tolerance.share:.4g} of them" if tolerance.share is not None else str(tolerance.most)
            yield f"{tally.plan.id}: {tally.failed} of {tally.seen} records failed; --max-errors allows {allowed}"


def _missed(tally: Tally, fail_under: float | None) -> Iterator[str]:
    for check in gate_checks(tally):
        if not check["passed"]:
            wanted = " and ".join(
                f"at {'least' if side == 'min' else 'most'} {bound:g}" for side, bound in check["wanted"].items()
            )
            yield f"{tally.plan.id}: gate {check['name']} is {check['found']:.6g}; wanted {wanted}"
    if fail_under is not None:
        mean = mean_of(tally.scores)
        if worse_than(tally.plan, mean, fail_under):
            yield f"{tally.plan.id}: the mean {mean:.6g} is on the worse side of {fail_under:g} (--fail-under)"
