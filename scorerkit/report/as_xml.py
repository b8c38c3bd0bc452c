"""The summary as JUnit XML: a suite per scorer, with its records and the conditions of its gate as tests."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from scorerkit.report.as_text import bounds, counts, number, record
from scorerkit.report.junit import FORBIDDEN

if TYPE_CHECKING:
    from scorerkit.model.json import Json


def render(summary: dict[str, Json]) -> str:
    """Records that failed or were not reached are errors; a condition that is missed is a failure.

    The test ``records`` stands for all of a scorer's records; the first that failed are also tests of their own.
    """
    root = ET.Element("testsuites", name="scorerkit")
    for scorer in summary["scorers"]:
        _suite(root, scorer, summary)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(root: ET.Element, scorer: dict[str, Json], summary: dict[str, Json]) -> None:
    checks = scorer.get("gate", ())
    lost = scorer["failed"] + scorer["notReached"]
    missed = sum(not check["passed"] for check in checks)
    failures = scorer.get("failures", ())
    name = _clean(scorer["id"])
    tests = 1 + len(failures) + len(checks)
    suite = ET.SubElement(root, "testsuite", name=name, tests=str(tests), failures=str(missed))
    suite.set("errors", str((lost > 0) + len(failures)))
    suite.set("timestamp", _clean(summary.get("startedAt") or ""))
    suite.set("time", f"{(summary.get('wallMs') or 0) / 1000:.3f}")
    records = ET.SubElement(suite, "testcase", classname=name, name="records")
    if lost:
        codes = ", ".join(f"{count} × {code}" for code, count in scorer["errors"].items())
        told = "; ".join(part for part in (counts(scorer), codes, summary["stopped"]) if part)
        ET.SubElement(records, "error", message=_clean(told))
    for entry in failures:
        case = ET.SubElement(suite, "testcase", classname=name, name=_clean(f"record {record(entry)}"))
        told = f"{entry['message']} (at {entry['at']})" if "at" in entry else entry["message"]
        ET.SubElement(case, "error", type=_clean(entry["code"]), message=_clean(told))
    for check in checks:
        case = ET.SubElement(suite, "testcase", classname=name, name=f"gate {check['name']}")
        if not check["passed"]:
            told = f"{check['name']} is {number(check['found'])}; wanted {bounds(check['wanted'])}"
            ET.SubElement(case, "failure", message=_clean(told))
    ET.SubElement(suite, "system-out").text = _clean(f"mean {number(scorer['mean'])}; {counts(scorer)}")


def _clean(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)
