"""The summary for people: what was scored, the numbers with their denominators, what was lost and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scorerkit.report.problems.as_text import one_line
from scorerkit.report.records import failed_lines, worst_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json

BLOCKS = " ▁▂▃▄▅▆▇█"


def render(summary: dict[str, Json]) -> str:
    """The numbers, and below those of each scorer the records that failed and the worst ones."""
    return _joined(summary, named=True)


def numbers(summary: dict[str, Json]) -> str:
    """A few lines per scorer; then, where there are groups, a few per group."""
    return _joined(summary, named=False)


def _joined(summary: dict[str, Json], *, named: bool) -> str:
    lines: list[str] = []
    for scorer in summary["scorers"]:
        lines += _scorer(scorer, summary)
        if named:
            lines += _named(scorer)
    return "\n".join(one_line(line) for line in [*lines, *_groups(summary)]) + "\n"


def _groups(summary: dict[str, Json]) -> Iterator[str]:
    for group in summary.get("groups", ()):
        yield group_title(summary["by"], group)
        for scorer in group["scorers"]:
            mean = f"mean {number(scorer['mean'])}{interval(scorer['meanInterval'])}"
            passed = f", passed {scorer['passed']} of {scorer['scored']} scored" if "passed" in scorer else ""
            yield f"  {scorer['id']}: {mean}{passed}; {counts(scorer)}"
    if any(scorer["notReached"] is None for group in summary.get("groups", ()) for scorer in group["scorers"]):
        yield "To which group records belong that were not reached is not known."


def group_title(by: str, group: dict[str, Json]) -> str:
    """``metadata.lang = "de"``, or that it is absent."""
    return f"{by} is absent" if group.get("absent") else f"{by} = {json.dumps(group['value'], ensure_ascii=False)}"


def _scorer(scorer: dict[str, Json], summary: dict[str, Json]) -> Iterator[str]:
    title = scorer["id"] if scorer["name"] == scorer["id"] else f"{scorer['id']} ({scorer['name']})"
    version = f" {scorer['version']}" if scorer.get("version") else ""
    digest = f"  digest {scorer['digest'][:12]}" if scorer.get("digest") else ""
    yield f"{title}{version}{digest}"
    yield f"  {counts(scorer)} from {summary['data']['source']}"
    if scorer["mean"] is not None:
        mean = f"mean {number(scorer['mean'])}{interval(scorer['meanInterval'])}"
        rest = "  ".join(f"{name} {number(scorer[name])}" for name in ("median", "min", "max"))
        yield f"  {mean}  {rest}  {spark(scorer['histogram'])}".rstrip()
    if scorer.get("passRate") is not None:
        rate = f"{scorer['passRate']:.1%}{interval(scorer['passRateInterval'], percent=True)}"
        passed = f"passed {scorer['passed']} of {scorer['scored']} scored"
        yield f"  {passed}: {rate}  threshold {bounds(scorer['threshold'])}"
    for check in scorer.get("gate", ()):
        verdict = "pass" if check["passed"] else "MISSED"
        yield f"  gate {check['name']} {bounds(check['wanted'])}: {number(check['found'])}  {verdict}"
    if "judge" in scorer:
        yield f"  {judge(scorer['judge'])}"
    if scorer["errors"]:
        kinds = ", ".join(f"{count} {code}" for code, count in scorer["errors"].items())
        yield f"  failed: {kinds}"


def _named(scorer: dict[str, Json]) -> Iterator[str]:
    failed, more = failed_lines(scorer)
    if failed:
        yield "  failed records:"
    for entry in failed:
        place = f" (at {entry['at']})" if "at" in entry else ""
        yield f"    {record(entry)}: error[{entry['code']}]: {plain(entry['message'] + place)}"
    if more:
        yield f"    … and {more} more"
    title, worst, more = worst_lines(scorer)
    if worst:
        yield f"  {title}:"
    for entry in worst:
        yield f"    {record(entry)}: {number(entry['score'])}  {plain(entry.get('reason', ''))}".rstrip()
    if more:
        yield f"    … and {more} more"


def record(entry: dict[str, Json]) -> str:
    """The id of a record, or that it has none."""
    return "(no id)" if entry["runId"] is None else plain(entry["runId"])


def plain(text: str) -> str:
    """Text of others in one line, without control characters."""
    return one_line(" ".join(str(text).split()))


def counted(number: int, noun: str) -> str:
    """``1 record``, ``2 records``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def counts(scorer: dict[str, Json]) -> str:
    """Every denominator, also those that are 0."""
    parts = [f"{scorer['scored']} scored", f"{scorer['notScorable']} not scorable", f"{scorer['failed']} failed"]
    if scorer["notReached"]:
        parts.append(f"{scorer['notReached']} not reached")
    return f"{counted(scorer['n'], 'record')}: {', '.join(parts)}"


def judge(found: dict[str, Json]) -> str:
    """Who answered, how often, and from where."""
    parts = [f"judge {', '.join(found['models'])}: {counted(found['questions'], 'question')}"]
    parts[0] += f", {counted(found['requests'], 'request')}"
    if found["cached"]:
        parts.append(f"{found['cached']} from the cache")
    for kind, count in found.get("recorded", {}).items():
        source = f" ({'; '.join(found['recordedSource'])})" if found.get("recordedSource") else ""
        parts.append(f"{count} {'replayed from recordings' if kind == 'replay' else 'recorded elsewhere'}{source}")
    if tokens := found["usage"].get("totalTokens"):
        parts.append(f"{tokens:,} tokens")
    if cost := found.get("cost"):
        parts.append(f"{cost['amount']:.4f} {cost['unit']}")
    return ", ".join(parts)


def number(value: float | None) -> str:
    """Up to four significant decimals, without trailing zeros."""
    return "none" if value is None else f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) < 1e6 else f"{value:.6g}"


def interval(pair: Json, *, percent: bool = False) -> str:
    """``[low, high]``, 95 %."""
    if not pair:
        return ""
    low, high = (f"{end:.1%}" if percent else number(end) for end in pair)
    return f" [{low}, {high}]"


def bounds(found: dict[str, float]) -> str:
    """``≥ 0.7``, ``≤ 0.2`` or both."""
    signs = {"min": "≥", "max": "≤"}
    return " and ".join(f"{signs[side]} {value:g}" for side, value in found.items())


def spark(bins: list[dict[str, Json]]) -> str:
    """A histogram in one word; nothing for a single bin."""
    most = max((found["count"] for found in bins), default=0)
    if len(bins) < 2 or not most:
        return ""
    return "".join(BLOCKS[-(-found["count"] * (len(BLOCKS) - 1) // most)] for found in bins)
