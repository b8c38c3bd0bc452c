"""Two experiments compared, as Markdown for pull requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.report.as_markdown import cell
from scorerkit.report.as_text import interval, number
from scorerkit.report.comparison.as_text import VERDICTS, counts, differences, flipped, pairs, ranks, side, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json

LISTS = (("newFailures", "Failed in B only"), ("failuresGone", "Failed in A only"))


def render(comparison: dict[str, Json]) -> str:
    """One table for all scorers, then what there is to say of each."""
    lines = ["# Comparison", "", f"- A: {cell(side(comparison['a']))}", f"- B: {cell(side(comparison['b']))}"]
    lines += [f"- **warning:** {cell(warning)}" for warning in comparison["warnings"]]
    for letter in ("A", "B"):
        if names := comparison[f"onlyIn{letter}"]:
            lines.append(f"- only in {letter}: {cell(', '.join(names))}")
    lines += ["", "| scorer | mean A | mean B | change (95 %) | | pairs |", "| --- | ---: | ---: | --- | --- | ---: |"]
    lines += [_row(scorer) for scorer in comparison["scorers"]]
    for scorer in comparison["scorers"]:
        lines += ["", f"## {cell(scorer['id'])}", "", *_more(scorer)]
    return "\n".join(lines) + "\n"


def _row(scorer: dict[str, Json]) -> str:
    change = scorer["change"]
    cells = (
        cell(scorer["id"]), number(scorer["meanA"]), number(scorer["meanB"]),
        f"{signed(change['mean'])}{interval(change['interval'])}", VERDICTS[change["verdict"]], scorer["paired"],
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def _more(scorer: dict[str, Json]) -> Iterator[str]:
    yield from (f"- {cell(line)}" for line in differences(scorer))
    yield f"- {pairs(scorer)}; {scorer['direction']}"
    for letter in ("a", "b"):
        yield f"- {letter.upper()}: {counts(scorer[letter])}"
    yield f"- {ranks(scorer['signedRank'])}"
    if flips := scorer["flips"]:
        yield f"- {flipped(flips)}"
        for key, words in (("toFailed", "now fails"), ("toPassed", "now passes")):
            yield from (f"  - {words}: {cell(_moved(run))}" for run in flips[key]["runs"])
    if scorer["largest"]:
        yield "- largest changes"
        yield from (f"  - {signed(run['change'])}: {cell(_moved(run))}" for run in scorer["largest"])
    for key, words in LISTS:
        if scorer[key]["count"]:
            yield f"- {words}: {scorer[key]['count']}"
            yield from (f"  - {cell(run['code'])}: {cell(run['runId'])}" for run in scorer[key]["runs"])


def _moved(run: dict[str, Json]) -> str:
    return f"{run['runId']}, {number(run['a'])} → {number(run['b'])}"
