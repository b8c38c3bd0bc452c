"""Outcomes of tests as JUnit XML, which continuous integration services read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Sequence

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold."""


class Case(NamedTuple):
    """One test: where it belongs, its name, its place, and what is wrong with it (nothing: it passed)."""

    suite: str
    name: str
    place: str
    faults: tuple[str, ...]


def render(cases: Sequence[Case]) -> str:
    """One suite per scorer."""
    root = ET.Element("testsuites", name="scorerkit")
    suites: dict[str, ET.Element] = {}
    for case in cases:
        if case.suite not in suites:
            members = [other for other in cases if other.suite == case.suite]
            failed = sum(bool(other.faults) for other in members)
            suite = ET.SubElement(root, "testsuite", name=_clean(case.suite), tests=str(len(members)))
            suite.set("failures", str(failed))
            suites[case.suite] = suite
        file, _, line = case.place.rpartition(":")
        element = ET.SubElement(suites[case.suite], "testcase", classname=_clean(case.suite), name=_clean(case.name))
        element.set("file", _clean(file))
        element.set("line", line)
        if case.faults:
            failure = ET.SubElement(element, "failure", message=_clean(case.faults[0]))
            failure.text = _clean("\n".join(case.faults))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _clean(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)
