import pytest

from scorerkit.report import as_markdown

SCORER = {
    "id": "s", "name": "s", "n": 3, "scored": 2, "notScorable": 0, "failed": 1, "notReached": 0, "mean": 0.5,
    "meanInterval": (0.1, 0.9), "median": 0.5, "errors": {"bad-score": 1}, "direction": "maximize", "digest": "abc",
    "description": "d", "threshold": {"min": 0.5}, "passed": 1, "passRate": 0.5,
    "gate": [{"name": "mean", "wanted": {"min": 0.6}, "found": 0.5, "passed": False}],
}  # fmt: skip
SUMMARY = {
    "scorers": [SCORER], "data": {"source": "runs.jsonl"}, "stopped": None, "experimentId": "e-1", "scorerkit": "0.1",
}  # fmt: skip


def render(**more):
    return as_markdown.render({**SUMMARY, "scorers": [{**SCORER, **more}]})


def test_a_table_for_all_and_a_list_for_each():
    assert render() == (
        "# Scores\n\n"
        "| scorer | mean (95 %) | median | passed | scored | not scorable | failed | not reached |\n"
        "| --- | --- | --- | --- | ---: | ---: | ---: | ---: |\n"
        "| s | 0.5 [0.1, 0.9] | 0.5 | 1 of 2 (50.0%) | 2 | 0 | 1 | 0 |\n"
        "\n## s\n\nd\n\n"
        "- 3 records: 2 scored, 0 not scorable, 1 failed; maximize\n"
        "- threshold ≥ 0.5\n"
        "- gate mean ≥ 0.6: 0.5 – **missed**\n"
        "- 1 × `bad-score`\n"
        "- digest `abc`\n"
        "\nData: `runs.jsonl`. Experiment `e-1`, scorerkit 0.1.\n"
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", "a\\|b"),
        ("a\nb", "a b"),
        ("<b>", "&lt;b>"),
        ("a  b", "a b"),
        ("`x`", "\\`x\\`"),
        ("[a](b)", "\\[a\\](b)"),
        ("*a*", "\\*a\\*"),
    ],
)
def test_an_author_s_text_is_text(text, escaped):
    assert render(description=text).split("## s\n\n")[1].startswith(f"{escaped}\n")


def test_a_source_cannot_leave_its_code_span():
    written = as_markdown.render({**SUMMARY, "data": {"source": "a`b|c\nd"}})
    assert "Data: ``a`b|c d``." in written


def test_what_stopped_it_is_said():
    assert "**Stopped early:** the time was used up" in as_markdown.render(
        {**SUMMARY, "stopped": "the time was used up"}
    )


def test_no_rate_is_a_dash():
    assert "| – |" in render(passRate=None)
