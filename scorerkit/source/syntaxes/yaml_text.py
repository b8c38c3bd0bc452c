"""YAML by PyYAML's parser and a builder of our own, which types scalars by JSON's rules and knows every place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml

from scorerkit.model.problem import Place
from scorerkit.source.page import Page
from scorerkit.source.syntaxes.parsed import Parsed
from scorerkit.source.syntaxes.yaml_builder import Builder
from scorerkit.source.syntaxes.yaml_outside import outside_block
from scorerkit.source.syntaxes.yaml_scalars import Broken, Scalars
from scorerkit.source.syntaxes.yaml_words import explained

if TYPE_CHECKING:
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_UNPRINTABLE = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BREAKS = {"\x85": "\U0010fff0", "\u2028": "\U0010fff1", "\u2029": "\U0010fff2"}
"""Line breaks of YAML 1.1 that are plain characters since 1.2 and in every editor's count of lines."""


def parse(page: Page, base: Path = ()) -> Parsed | list[Problem]:
    """As :class:`SyntaxModule` says. ``base`` changes nothing: YAML is read into JSON's values everywhere."""
    del base
    read, problems = build(page)
    return problems if read is None or problems else read


def build(page: Page) -> tuple[Parsed | None, list[Problem]]:
    """All that can be read of the text, and all that is wrong with it in reading order."""
    page, restored = _without_old_breaks(page)
    control = _unprintable(page)
    if control:
        return None, [control]
    scalars = Scalars(page, restored)
    builder = Builder(yaml.parse(page.text, Loader=_Loader), scalars)
    try:
        value, spot = builder.document()
    except Broken as broken:
        return None, [outside_block(page, broken.problem)]
    except yaml.MarkedYAMLError as error:
        return None, [builder.unindented() or outside_block(page, explained(page, error))]
    except yaml.YAMLError as error:
        return None, [page.problem("syntax", Place(), f"this is not valid YAML: {error}")]
    return Parsed(value, lambda: spot), sorted(scalars.problems, key=lambda problem: problem.order)


def _without_old_breaks(page: Page) -> tuple[Page, dict[int, str]]:
    text = page.text.replace("\r", "\n")
    if not any(old in text for old in _BREAKS) or any(new in text for new in _BREAKS.values()):
        return Page(page.shown, text), {}
    restored = {ord(new): old for old, new in _BREAKS.items()}
    return Page(page.shown, text.translate({ord(old): new for old, new in _BREAKS.items()})), restored


def _unprintable(page: Page) -> Problem | None:
    """The problem of the first character that YAML does not allow as itself."""
    found = _UNPRINTABLE.search(page.text)
    if not found:
        return None
    code = ord(found[0])
    return page.problem(
        "syntax",
        page.place_at(found.start()),
        f"the control character U+{code:04X} stands here",
        fix=f'remove it, or write it as "\\u{code:04x}" in double quotes',
    )
