"""The summary as Markdown, for pull requests and job summaries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorerkit.report.as_text import bounds, counts, group_title, interval, judge, number, plain, record
from scorerkit.report.records import failed_lines, worst_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json


_MARKS = re.compile(r"[\\`*_\[\]|]")
_HEAD = (
    "| scorer | mean (95 %) | median | passed | scored | not scorable | failed | not reached |",
    "| --- | --- | --- | --- | ---: | ---: | ---: | ---: |",
)


def render(summary: dict[str, Json]) -> str:
    """One table for all scorers, then a paragraph for each that has more to say."""
    lines = ["# Scores", "", *_HEAD]
    lines += [_row(scorer) for scorer in summary["scorers"]]
    for scorer in summary["scorers"]:
        lines += ["", f"## {cell(scorer['id'])}", "", *_more(scorer), *_named(scorer)]
    for group in summary.get("groups", ()):
        lines += ["", f"## {cell(group_title(summary['by'], group))}", "", *_HEAD]
        lines += [_row(scorer) for scorer in group["scorers"]]
    source = _code(summary["data"]["source"])
    lines += ["", f"Data: {source}. Experiment `{summary['experimentId']}`, scorerkit {summary['scorerkit']}."]
    if summary["stopped"]:
        lines += ["", f"**Stopped early:** {cell(summary['stopped'])}"]
    return "\n".join(lines) + "\n"


def _row(scorer: dict[str, Json]) -> str:
    mean = f"{number(scorer['mean'])}{interval(scorer['meanInterval'])}"
    passed = "–"
    if scorer.get("passRate") is not None:
        passed = f"{scorer['passed']} of {scorer['scored']} ({scorer['passRate']:.1%})"
    cells = [
        cell(scorer["id"]), mean, number(scorer["median"]), passed, scorer["scored"], scorer["notScorable"],
        scorer["failed"], "–" if scorer["notReached"] is None else scorer["notReached"],
    ]  # fmt: skip
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _more(scorer: dict[str, Json]) -> Iterator[str]:
    if scorer.get("description"):
        yield cell(scorer["description"])
        yield ""
    yield f"- {counts(scorer)}; {scorer['direction']}"
    if "threshold" in scorer:
        yield f"- threshold {bounds(scorer['threshold'])}"
    for check in scorer.get("gate", ()):
        verdict = "pass" if check["passed"] else "**missed**"
        yield f"- gate {check['name']} {bounds(check['wanted'])}: {number(check['found'])} – {verdict}"
    if "judge" in scorer:
        yield f"- {cell(judge(scorer['judge']))}"
    for code, count in scorer["errors"].items():
        yield f"- {count} × `{code}`"
    if scorer.get("digest"):
        yield f"- digest `{scorer['digest']}`"


def _named(scorer: dict[str, Json]) -> Iterator[str]:
    failed, more = failed_lines(scorer)
    if failed:
        yield from ("", "### Failed records", "", "| record | code | message |", "| --- | --- | --- |")
    for entry in failed:
        place = f" (at {entry['at']})" if "at" in entry else ""
        yield f"| {cell(record(entry))} | {cell(entry['code'])} | {cell(entry['message'] + place)} |"
    if more:
        yield from ("", f"… and {more} more")
    title, worst, more = worst_lines(scorer)
    if worst:
        yield from ("", f"### {title.capitalize()}", "", "| record | score | reason |", "| --- | ---: | --- |")
    for entry in worst:
        yield f"| {cell(record(entry))} | {number(entry['score'])} | {cell(entry.get('reason', ''))} |"
    if more:
        yield from ("", f"… and {more} more")


def cell(text: str) -> str:
    """Text of others as text: one line, without what Markdown, a table or HTML would read in it."""
    return _MARKS.sub(r"\\\g<0>", plain(text)).replace("<", "&lt;")


def _code(text: str) -> str:
    """A code span that the text cannot leave."""
    line = " ".join(str(text).split())
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"
