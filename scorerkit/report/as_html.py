"""The summary as one page of HTML that needs nothing else: to be attached, mailed, opened offline."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, StrictUndefined

from scorerkit.report.as_text import bounds, group_title, interval, judge, number, plain, record
from scorerkit.report.records import failed_lines, worst_lines

if TYPE_CHECKING:
    from jinja2 import Template

    from scorerkit.model.json import Json

TEMPLATE = Path(__file__).with_name("page.html.j2")


@cache
def _template() -> Template:
    """Our own page, in an environment that escapes everything: what data and judges say is text."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"number": number, "interval": interval, "bounds": bounds, "judge": judge}
    environment.filters |= {"record": record, "failed_lines": failed_lines, "worst_lines": worst_lines, "plain": plain}
    environment.filters["group_title"] = lambda group, by: group_title(by, group)
    return environment.from_string(TEMPLATE.read_text("utf-8"))


def render(summary: dict[str, Json]) -> str:
    """A table of all scorers, then for each its histogram, its gate, what failed, and the worst."""
    scorers = [{"gate": [], "version": None, **scorer} for scorer in summary["scorers"]]
    return _template().render(summary={"groups": (), **summary, "scorers": scorers})
