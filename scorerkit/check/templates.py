"""Templates and expressions: do they parse, do their filters, includes and names exist."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from jinja2 import nodes
from jinja2.exceptions import TemplateSyntaxError

from scorerkit.assembly import read_part
from scorerkit.check.code import Code, code_of
from scorerkit.check.findings import Finding
from scorerkit.check.names import NameChecker
from scorerkit.check.scopes import scope_of
from scorerkit.check.syntax import fix_of_test, found_in, sentence, syntax_fix
from scorerkit.check.unclosed import unclosed
from scorerkit.definition import placed
from scorerkit.expression import parse_expression
from scorerkit.suggest import suggestion
from scorerkit.template.environment import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.problem import Place, Problem
    from scorerkit.source.document import Document

INCLUDES = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
MAX_INCLUDES = 64
MOST_SOUGHT = 20
"""Findings of one template whose column is looked for, each by a search of its text; the others get its line."""


def check_templates(definition: Definition) -> Iterator[Problem]:
    """All problems of all code of a definition; fills ``definition.includes`` on the way."""
    for code in code_of(definition):
        try:
            tree = parse(code)
        except TemplateSyntaxError as error:
            yield _syntax(definition, code, error)
            continue
        yield from _includes(definition, code, tree, definition.source(code.path)[0])
        yield from _findings(definition, code, tree)


def parse(code: Code) -> nodes.Template:
    """The tree of a template or an expression, as written."""
    parser = plain().parse_unchanged if code.kind == "template" else _parse_expression
    return parser(code.source)


def _parse_expression(source: str) -> nodes.Template:
    return parse_expression(plain(), source)


def _syntax(definition: Definition, code: Code, error: TemplateSyntaxError) -> Problem:
    def place(line: int, token: str | None) -> tuple[Document, Place]:
        return definition.text_place(code.path, line, token)

    return _unparsed(code.source, code.kind, error, place)


def _unparsed(
    source: str,
    kind: Literal["template", "expression"],
    error: TemplateSyntaxError,
    where: Callable[[int, str | None], tuple[Document, Place]],
) -> Problem:
    """At what was opened and never closed, where that is the trouble; else where the parser stopped."""
    document, noticed = where(error.lineno, found_in(error, source))
    opened = unclosed(source, kind, error)
    if opened is None:
        message = f"the {kind} does not parse: {sentence(error)}"
        return placed(document, noticed, "template-syntax", message, fix=syntax_fix(kind, source, error))
    document, place = where(opened.line, opened.token)
    message = f"the {kind} does not parse: the '{opened.written}' that opens here is not closed"
    why = f"line {noticed.line} is where the parser noticed it" if noticed.line != place.line else None
    return placed(document, place, "template-syntax", message, why=why, fix=f"close it with '{opened.close}'")


def _findings(definition: Definition, code: Code, tree: nodes.Template) -> Iterator[Problem]:
    for index, finding in enumerate(_found(definition, code, tree)):
        more: dict[str, Any] = {"why": finding.why, "fix": finding.fix, "severity": finding.severity}
        token = finding.token if index < MOST_SOUGHT else None
        yield definition.problem_in_text(finding.code, code.path, finding.line, token, finding.message, **more)


def _found(definition: Definition, code: Code, tree: nodes.Template, *, partial: bool = False) -> list[Finding]:
    found: dict[tuple[int, str], Finding] = {}
    for place in code.places:
        scope = replace(scope_of(definition, place), partial=partial)
        for finding in [*NameChecker(scope).check(tree), *unknown_filters(tree)]:
            found.setdefault((finding.line, finding.token), finding)
    return sorted(found.values())


def unknown_filters(tree: nodes.Template) -> Iterator[Finding]:
    """The filters and tests that there are not."""
    environment = plain()
    for kind, known, found in (
        ("filter", environment.filters, tree.find_all(nodes.Filter)),
        ("test", environment.tests, tree.find_all(nodes.Test)),
    ):
        for node in found:
            if node.name not in known:
                names = sorted(name for name in known if " " not in name)
                fix = (fix_of_test(node.name) if kind == "test" else None) or suggestion(node.name, names)
                yield Finding(node.lineno, node.name, f"there is no {kind} '{node.name}'", None, fix)


def _includes(definition: Definition, code: Code, tree: nodes.Template, base: Document) -> Iterator[Problem]:
    """Read what a template includes, and what that includes in turn."""
    for node in tree.find_all(INCLUDES):
        named = getattr(node, "template", None)
        written = named.value if isinstance(named, nodes.Const) else None
        if not isinstance(written, str):
            yield definition.problem_in_text(
                "template-syntax", code.path, node.lineno, "include", "an included file must be named in quotes",
                why="everything that a definition reads is known before it runs",
            )  # fmt: skip
            continue
        yield from _include(definition, code, node.lineno, written, base)


def _include(definition: Definition, code: Code, line: int, written: str, base: Document) -> Iterator[Problem]:
    if (str(base.file), written) in definition.links:
        return
    loaded = read_part(definition, base, written, "text", code.path)
    if isinstance(loaded, list):
        first = loaded[0]
        yield definition.problem_in_text(
            first.code, code.path, line, written, first.message, why=first.why, fix=first.fix
        )
        return
    key = str(loaded.file)
    definition.links[str(base.file), written] = key
    if key in definition.includes or len(definition.includes) >= MAX_INCLUDES:
        return
    definition.includes[key] = loaded
    try:
        tree = plain().parse_unchanged(loaded.value)
    except TemplateSyntaxError as error:
        yield _unparsed(
            loaded.value, "template", error, lambda line, token: (loaded, loaded.place_in_text((), line, token))
        )
        return
    for finding in _found(definition, code, tree, partial=True):
        place = loaded.place_in_text((), finding.line, finding.token)
        more: dict[str, Any] = {"why": finding.why, "fix": finding.fix, "severity": finding.severity}
        yield placed(loaded, place, finding.code, finding.message, **more)
    yield from _includes(definition, code, tree, loaded)
