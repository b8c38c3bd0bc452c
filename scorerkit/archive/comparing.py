"""Two experiments compared: pairs by run id, what changed on average, and for whom."""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, Any

from scorerkit import __version__
from scorerkit.archive.pairing import Pairing
from scorerkit.archive.shards import whole_of
from scorerkit.archive.sides import FACTS, Side
from scorerkit.calibration.bootstrap import bootstrap_interval
from scorerkit.calibration.paired_tests import sign_test, signed_rank
from scorerkit.report.intervals import mean_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorerkit.archive.parts import Part
    from scorerkit.model.json import Json

SHOWN_RUNS = 20
SHOWN_CHANGES = 10


def compare(a: Part, b: Part, directions: Callable[[Iterable[str]], dict[str, str]]) -> dict[str, Json]:
    """The comparison as plain data. ``directions`` tells which way is better where neither side says it.

    Raises:
        ScorerkitError: a side holds what is no whole result.
    """
    sides = Side(a), Side(b)
    with Pairing() as pairing:
        for number, side in enumerate(sides):
            pairing.fill(number, side.lines())
        pairing.pair()
        names = [name for name in sides[0].scorers if name in sides[1].scorers]
        unknown = [name for name in names if not any(side.scorers[name].get("direction") for side in sides)]
        known = directions(unknown)
        return {
            "scorerkit": __version__,
            "kind": "experiments",
            "a": sides[0].described(),
            "b": sides[1].described(),
            "warnings": [*_warnings(*sides), *_guesses(name for name in unknown if name not in known)],
            "onlyInA": [name for name in sides[0].scorers if name not in sides[1].scorers],
            "onlyInB": [name for name in sides[1].scorers if name not in sides[0].scorers],
            "scorers": [
                _scorer(name, sides, pairing, known.get(name, "maximize"))
                | {"directionGuessed": name in unknown and name not in known}
                for name in names
            ],
        }


def _warnings(a: Side, b: Side) -> Iterator[str]:
    for side in (a, b):
        if side.part.kept is not None and side.part.kept.status != "finished":
            yield f"{side.part.shown} is not whole: it is {side.part.kept.status}"
        for name in sorted(side.mixed):
            yield f"{side.part.shown} holds results of more than one definition of '{name}'"
    if a.part.kept is not None and b.part.kept is not None and whole_of(a.part.kept) != whole_of(b.part.kept):
        same = a.part.kept.data["digest"] == b.part.kept.data["digest"]
        what = "the options that select from the data differ" if same else "the data of the two differs"
        yield f"{what}: records of one run id need not be the same"


def _guesses(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield f"which way is better for '{name}' is not known; higher is taken for better"


def _scorer(name: str, sides: tuple[Side, Side], pairing: Pairing, guessed: str) -> dict[str, Json]:
    a, b = (side.facts(name) for side in sides)
    direction = b.get("direction") or a.get("direction") or guessed
    counts = pairing.counts(name)
    found: dict[str, Json] = {
        "id": name,
        "direction": direction,
        "differs": [words for key, words in FACTS if key in a and key in b and a[key] != b[key]],
        "a": a,
        "b": b,
        **counts,
        **_change(name, pairing),
        "flips": _flips(name, pairing),
        "largest": [
            {"runId": run, "a": first, "b": second, "change": change}
            for run, first, second, change in pairing.largest(name, SHOWN_CHANGES)
        ],
        "newFailures": _runs(("runId", "code"), pairing.failures(name, new=True, most=SHOWN_RUNS)),
        "failuresGone": _runs(("runId", "code"), pairing.failures(name, new=False, most=SHOWN_RUNS)),
    }
    found["change"]["verdict"] = _verdict(found["change"]["interval"], direction)
    return found


def _change(name: str, pairing: Pairing) -> dict[str, Json]:
    a, b, changes = array("d"), array("d"), array("d")
    for first, second, change in pairing.changes(name):
        a.append(first)
        b.append(second)
        changes.append(change)
    n = len(changes)
    ranks = signed_rank(pairing.sizes(name))
    return {
        "meanA": mean_of(a) if n else None,
        "meanB": mean_of(b) if n else None,
        "change": {"mean": math.fsum(changes) / n if n else None, "interval": bootstrap_interval(changes)},
        "signedRank": ranks._asdict(),
    }


def _verdict(interval: tuple[float, float] | None, direction: str) -> str | None:
    """``better`` or ``worse`` where the whole interval says so; None where there is no interval."""
    if interval is None or interval == (0, 0):
        return None if interval is None else "same"
    low, high = interval if direction == "maximize" else (-interval[1], -interval[0])
    return "worse" if high < 0 else "better" if low > 0 else "unclear"


def _flips(name: str, pairing: Pairing) -> dict[str, Json] | None:
    """None without a threshold on both sides."""
    comparable = pairing.comparable_passes(name)
    if not comparable:
        return None
    failed = pairing.flipped(name, passes=False, most=SHOWN_RUNS)
    passed = pairing.flipped(name, passes=True, most=SHOWN_RUNS)
    keys = ("runId", "a", "b")
    return {
        "pairs": comparable,
        "toFailed": _runs(keys, failed),
        "toPassed": _runs(keys, passed),
        "p": sign_test(passed[0], failed[0]),
    }


def _runs(keys: tuple[str, ...], found: tuple[int, list[tuple[Any, ...]]]) -> dict[str, Json]:
    return {"count": found[0], "runs": [dict(zip(keys, row, strict=True)) for row in found[1]]}


def judged(comparison: dict[str, Json]) -> tuple[int, list[str]]:
    """The exit code of ``--fail-on regression``, and why: inconclusive wins, then nothing paired, then worse."""
    inconclusive, worse, empty = [], [], []
    for scorer in comparison["scorers"]:
        name, paired = scorer["id"], scorer["paired"]
        unpaired = scorer["onlyInA"] + scorer["onlyInB"] + sum(scorer[side]["withoutId"] for side in ("a", "b"))
        failed = scorer["a"]["failed"] + scorer["b"]["failed"]
        if unpaired:
            inconclusive.append(f"{name}: {unpaired} results have no counterpart")
        if failed:
            counts = f"{scorer['a']['failed']} records in A and {scorer['b']['failed']} in B"
            inconclusive.append(f"{name}: {counts} failed")
        if scorer["scoredInOne"] and not failed:
            inconclusive.append(f"{name}: {scorer['scoredInOne']} records are scored on one side only")
        if paired == 1:
            inconclusive.append(f"{name}: a single pair has no interval")
        elif not paired:
            empty.append(f"{name}: nothing is paired")
        elif scorer["directionGuessed"] and scorer["change"]["verdict"] in ("better", "worse"):
            inconclusive.append(f"{name}: the mean changed, and neither side nor the project says which way is better")
        elif scorer["change"]["verdict"] == "worse":
            low, high = scorer["change"]["interval"]
            worse.append(f"{name}: the mean change lies between {low:.6g} and {high:.6g}, on the worse side")
    if not comparison["scorers"]:
        return 5, ["no scorer is on both sides"]
    for code, reasons in ((3, inconclusive), (5, empty), (1, worse)):
        if reasons:
            return code, reasons
    return 0, []
