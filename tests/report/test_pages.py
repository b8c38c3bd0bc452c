"""The summary as HTML and as JUnit XML: whole, and nothing of others in it that is not text."""

from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from scorerkit.report import FILES, render

SCORER = {
    "id": "s", "name": "s", "n": 4, "scored": 2, "notScorable": 1, "failed": 1, "notReached": 2, "mean": 0.5,
    "meanInterval": (0.1, 0.9), "median": 0.5, "min": 0.2, "max": 0.8, "errors": {"bad-score": 1},
    "direction": "maximize", "digest": "abc", "description": "d", "threshold": {"min": 0.5}, "passed": 1,
    "passRate": 0.5, "passRateInterval": (0.1, 0.9), "params": {"a": "<p>"},
    "histogram": [{"from": 0.0, "to": 0.5, "count": 0}, {"from": 0.5, "to": 1.0, "count": 2}],
    "gate": [
        {"name": "mean", "wanted": {"min": 0.6}, "found": 0.5, "passed": False},
        {"name": "passRate", "wanted": {"min": 0.5}, "found": 0.5, "passed": True},
    ],
}  # fmt: skip
NOTHING = {
    "id": "n", "name": "n", "n": 0, "scored": 0, "notScorable": 0, "failed": 0, "notReached": 2, "mean": None,
    "meanInterval": None, "median": None, "min": None, "max": None, "errors": {}, "direction": "minimize",
    "digest": None, "description": None, "params": {}, "histogram": [],
    "judge": {"models": ["openai/x"], "questions": 2, "requests": 3, "cached": 0, "usage": {"totalTokens": 1200}},
}  # fmt: skip
SUMMARY = {
    "scorers": [SCORER, NOTHING], "data": {"source": "runs.jsonl"}, "stopped": "the time was used up",
    "experimentId": "e-1", "scorerkit": "0.1", "startedAt": "2026-12-01T10:00:00+00:00", "wallMs": 1234.5, "outputs": [],
}  # fmt: skip


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.said = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.said.append(" ".join(data.split()))

    @property
    def text(self):
        return " ".join(filter(None, self.said))


def test_the_page_says_every_count_and_asks_nothing_of_anybody():
    written = render(".html", SUMMARY)
    page = Page(written)
    for said in (
        "0.5 [0.1, 0.9]",
        "1 of 2 (50.0 %)",
        "the time was used up",
        "bad-score",
        "2 questions, 3 requests",
        "e-1",
    ):
        assert said in page.text
    assert page.tags.count("rect") == 2
    assert "script" not in page.tags
    assert "link" not in page.tags
    assert "src=" not in written
    assert "http" not in written.replace("http-equiv", "")


@pytest.mark.parametrize("key", ["id", "description", "digest", "version"])
def test_what_others_wrote_is_text(key):
    hostile = '<script>alert(1)</script>{{ 7 * 7 }}" onload="x'
    written = render(".html", {**SUMMARY, "scorers": [{**SCORER, key: hostile}], "data": {"source": hostile}})
    assert "<script>" not in written
    assert "{{ 7 * 7 }}" in Page(written).text
    assert 'onload="x' not in written


def test_gates_are_tests_and_lost_records_are_an_error():
    root = ET.fromstring(render(".xml", SUMMARY))
    first, second = root.findall("testsuite")
    assert (first.get("tests"), first.get("failures"), first.get("errors")) == ("3", "1", "1")
    assert [case.get("name") for case in first.findall("testcase")] == ["records", "gate mean", "gate passRate"]
    assert "bad-score" in first.find("testcase/error").get("message")
    assert "the time was used up" in first.find("testcase/error").get("message")
    assert first.find("testcase/failure").get("message") == "mean is 0.5; wanted ≥ 0.6"
    assert second.get("errors") == "1"


def test_what_xml_cannot_hold_is_replaced():
    root = ET.fromstring(render(".xml", {**SUMMARY, "scorers": [{**SCORER, "id": "a\0b\x1b"}]}))
    assert root.find("testsuite").get("name") == "a\ufffdb\ufffd"


@pytest.mark.parametrize("suffix", FILES)
def test_every_form_takes_every_summary(suffix):
    assert render(suffix, {**SUMMARY, "stopped": None})


def test_groups_are_tables_of_their_own():
    groups = [{"value": "de", "scorers": [SCORER]}, {"absent": True, "scorers": [{**SCORER, "notReached": None}]}]
    page = Page(render(".html", {**SUMMARY, "by": "metadata.lang", "groups": groups}))
    assert 'metadata.lang = "de"' in page.text
    assert "metadata.lang is absent" in page.text
    assert page.tags.count("table") == 5


def test_the_head_of_a_table_is_not_broken_inside_words():
    written = render(".html", SUMMARY)
    assert "th { overflow-wrap: normal }" in written
    assert written.count("<table>") == Page(written).tags.count("table")
