"""Two experiments compared, for people: the change with its interval first, then for whom."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scorerkit.report.as_text import counted, interval, number
from scorerkit.report.problems.as_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json

BETTER = {"maximize": "higher is better", "minimize": "lower is better"}
VERDICTS = {
    "worse": "worse",
    "better": "better",
    "unclear": "could be chance",
    "same": "no change",
    None: "too few pairs to say",
}


def render(comparison: dict[str, Json]) -> str:
    """The sides, what to beware of, then some lines per scorer."""
    return "\n".join(one_line(line) for line in _lines(comparison)) + "\n"


def _lines(comparison: dict[str, Json]) -> Iterator[str]:
    for letter in ("a", "b"):
        yield f"{letter.upper()}  {side(comparison[letter])}"
    for warning in comparison["warnings"]:
        yield f"warning: {warning}"
    for letter in ("A", "B"):
        if names := comparison[f"onlyIn{letter}"]:
            yield f"only in {letter}: {', '.join(names)}"
    if not comparison["scorers"]:
        yield "no scorer is on both sides"
    for scorer in comparison["scorers"]:
        yield from _scorer(scorer)


def side(found: dict[str, Json]) -> str:
    """What a side is, in a line."""
    if "file" in found:
        return str(found["file"])
    return f"{found['experimentId']}  {found['status']}  {found['data']['source']}"


def _scorer(scorer: dict[str, Json]) -> Iterator[str]:
    yield f"{scorer['id']}  ({BETTER[scorer['direction']]})"
    for line in differences(scorer):
        yield f"  {line}"
    yield f"  {pairs(scorer)}"
    for letter in ("a", "b"):
        yield f"  {letter.upper()}: {counts(scorer[letter])}"
    if scorer["paired"]:
        yield f"  mean {number(scorer['meanA'])} → {number(scorer['meanB'])}: {change(scorer)}"
        yield f"  {ranks(scorer['signedRank'])}"
    if flips := scorer["flips"]:
        yield f"  {flipped(flips)}"
        for key, words in (("toFailed", "now fails"), ("toPassed", "now passes")):
            for run in flips[key]["runs"]:
                yield f"    {words}  {run['runId']}  {number(run['a'])} → {number(run['b'])}"
            yield from _more(flips[key])
    if scorer["largest"]:
        yield "  largest changes"
        for run in scorer["largest"]:
            yield f"    {signed(run['change']):>8}  {run['runId']}  {number(run['a'])} → {number(run['b'])}"
    for key, words in (("newFailures", "failed in B only"), ("failuresGone", "failed in A only")):
        if scorer[key]["count"]:
            yield f"  {words}: {scorer[key]['count']}"
            for run in scorer[key]["runs"]:
                yield f"    {run['code']}  {run['runId']}"
            yield from _more(scorer[key])


def _more(found: dict[str, Json]) -> Iterator[str]:
    if left := found["count"] - len(found["runs"]):
        yield f"    … and {left} more"


def differences(scorer: dict[str, Json]) -> Iterator[str]:
    """What of the scorer is not the same on both sides."""
    keys = {"digest": "digest", "judge digest": "judgeDigest"}
    for words in scorer["differs"]:
        then, now = (scorer[letter][keys.get(words, words)] for letter in ("a", "b"))
        if words in keys:
            then, now = (str(value)[:12] for value in (then, now))
        yield f"{words} {_value(then)} → {_value(now)}"


def _value(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def pairs(scorer: dict[str, Json]) -> str:
    """Every denominator of the pairing, also those that are 0."""
    text = f"{scorer['paired']} pairs; {scorer['onlyInA']} only in A, {scorer['onlyInB']} only in B"
    text += f", {scorer['scoredInOne']} on both sides and not scored on both"
    return f"{text}, {scorer['notScorableInBoth']} not scorable in both" if scorer["notScorableInBoth"] else text


def counts(found: dict[str, Json]) -> str:
    """The results of one side."""
    text = f"{counted(found['n'], 'record')}: {found['scored']} scored, {found['notScorable']} not scorable"
    text += f", {found['failed']} failed"
    return f"{text}, {found['withoutId']} without a run id" if found["withoutId"] else text


def change(scorer: dict[str, Json]) -> str:
    """The mean change, its interval, and what that says."""
    found = scorer["change"]
    return f"change {signed(found['mean'])}{interval(found['interval'])}, {VERDICTS[found['verdict']]}"


def ranks(found: dict[str, Json]) -> str:
    """How many pairs differ, and the probability of such ranks by chance."""
    if not found["n"]:
        return "no pair differs"
    return f"{found['n']} pairs differ; Wilcoxon's signed ranks: p {probability(found['p'])}"


def flipped(flips: dict[str, Json]) -> str:
    """How many crossed the threshold in either direction."""
    text = f"passed → failed: {flips['toFailed']['count']}, failed → passed: {flips['toPassed']['count']}"
    test = "" if flips["p"] is None else f"; McNemar's test: p {probability(flips['p'])}"
    return f"{text}, of {flips['pairs']} pairs{test}"


def probability(p: float) -> str:
    """Two significant digits."""
    return "< 0.0001" if p < 0.0001 else f"= {p:.2g}"


def signed(value: float | None) -> str:
    """With its sign."""
    return f"+{number(value)}" if value is not None and value > 0 else number(value)
