"""The summary as JUnit XML: a suite per scorer, with its records and the conditions of its gate as tests."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from scorerkit.report.as_text import bounds, counts, number
from scorerkit.report.junit import FORBIDDEN

if TYPE_CHECKING:
    from scorerkit.model.json import Json


def render(summary: dict[str, Json]) -> str:
    """Records that failed or were not reached are errors; a condition that is missed is a failure."""
    root = ET.Element("testsuites", name="scorerkit")
    for scorer in summary["scorers"]:
        _suite(root, scorer, summary)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(root: ET.Element, scorer: dict[str, Json], summary: dict[str, Json]) -> None:
    checks = scorer.get("gate", ())
    lost = scorer["failed"] + scorer["notReached"]
    missed = sum(not check["passed"] for check in checks)
    name = _clean(scorer["id"])
    suite = ET.SubElement(root, "testsuite", name=name, tests=str(1 + len(checks)), failures=str(missed))
    suite.set("errors", str(int(lost > 0)))
    suite.set("timestamp", _clean(summary.get("startedAt") or ""))
    suite.set("time", f"{(summary.get('wallMs') or 0) / 1000:.3f}")
    records = ET.SubElement(suite, "testcase", classname=name, name="records")
    if lost:
        codes = ", ".join(f"{count} × {code}" for code, count in scorer["errors"].items())
        told = "; ".join(part for part in (counts(scorer), codes, summary["stopped"]) if part)
        ET.SubElement(records, "error", message=_clean(told))
    for check in checks:
        case = ET.SubElement(suite, "testcase", classname=name, name=f"gate {check['name']}")
        if not check["passed"]:
            told = f"{check['name']} is {number(check['found'])}; wanted {bounds(check['wanted'])}"
            ET.SubElement(case, "failure", message=_clean(told))
    ET.SubElement(suite, "system-out").text = _clean(f"mean {number(scorer['mean'])}; {counts(scorer)}")


def _clean(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)
