"""Prompts: Jinja templates, compiled once, rendered for every record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jinja2 import nodes
from jinja2.environment import Template as JinjaTemplate
from jinja2.exceptions import SecurityError, TemplateError, UndefinedError
from jinja2.runtime import Context

from scorerkit.conversion import describe, kind_of
from scorerkit.errors import NotScorable, RecordError
from scorerkit.suggest import closest
from scorerkit.template.environment import Environment
from scorerkit.template.limits import BUDGET, Budget, concat

if TYPE_CHECKING:
    from types import TracebackType

    from scorerkit.model.json import Json

Locate = Callable[[str | None, int], "Json"]
"""(name of an included file or None, line in it) → the place that an error carries."""

_NO_BLOCKS: dict[str, Any] = {}


def nowhere(_name: str | None, line: int) -> Json:
    """The place of code that stands in no file."""
    return {"line": line}


class Program:
    """Compiled Jinja code and the few names it needs: what templates and expressions have in common."""

    __slots__ = ("_chains", "_environment", "_globals", "_locate", "_root", "_template", "source")

    def __init__(
        self, environment: Environment, source: str, tree: nodes.Template, template: JinjaTemplate, locate: Locate
    ) -> None:
        self.source = source
        self._environment = environment
        self._template = template
        self._root = template.root_render_func
        self._locate = locate
        named = {node.name for node in tree.find_all(nodes.Name)}
        self._globals = {name: value for name, value in environment.globals.items() if name in named}
        self._chains = tuple(dict.fromkeys(chains_of(tree)))

    def context(self, names: Mapping[str, Any]) -> Context:
        """A Jinja context for one evaluation; only the globals that the code mentions are in it."""
        blocks = self._template.blocks or _NO_BLOCKS
        return Context(self._environment, {**self._globals, **names}, self._template.name, blocks)

    def failure(self, error: BaseException, names: Mapping[str, Any]) -> RecordError:
        """The record error for whatever went wrong while this code ran, with its place and the values it read."""
        at = self._locate(*self._where(error.__traceback__))
        if isinstance(error, RecordError):
            error.at = error.at or at
            return error
        if isinstance(error, UndefinedError):
            message, fix = self._missing(error, names)
            return RecordError("unknown-name", message, at=at, why=self._values(names), fix=fix)
        if isinstance(error, SecurityError):
            return RecordError("step-failed", str(error), at=at, why="templates see JSON data and nothing of Python")
        if isinstance(error, RecursionError):
            return RecordError("template-limit", "the template calls itself too deeply", at=at)
        message = str(error) or type(error).__name__
        return RecordError("step-failed", message, at=at, why=self._values(names))

    def _where(self, trace: TracebackType | None) -> tuple[str | None, int]:
        """Template name and line that the deepest frame of generated code stands for."""
        found: tuple[str | None, int] = (None, 1)
        while trace is not None:
            template = trace.tb_frame.f_globals.get("__jinja_template__")
            if template is not None:
                found = template.name, template.get_corresponding_lineno(trace.tb_lineno)
            trace = trace.tb_next
        return found

    def _missing(self, error: UndefinedError, names: Mapping[str, Any]) -> tuple[str, str | None]:
        """What is missing, and what to write; in general words where more than one place could lack it."""
        message, name = _sentence(error)
        lacking = [chain for chain in self._chains if name in chain[_followed(chain, names)[0] :]]
        if len(lacking) != 1:
            return message, None
        (chain,) = lacking
        there, value = _followed(chain, names)
        if there == 0 or chain[there] != name:
            return message, None
        whole = ".".join(chain[:there])
        close = closest(name, value) if isinstance(value, Mapping) else None
        kind = "" if isinstance(value, Mapping) else f" is {kind_of(value)}, so it"
        fix = f"did you mean '{close}'?" if close else f"where it may be missing, write {whole}.{name} | default('')"
        return f"{whole}{kind} has no '{name}'", fix

    def _values(self, names: Mapping[str, Any]) -> str | None:
        shown: dict[str, str] = {}
        for chain in self._chains[:4]:
            there, value = _followed(chain, names)
            if there == len(chain) or there > 1:
                shown[".".join(chain[:there])] = describe(value, 60)
        return f"with {', '.join(f'{name} = {value}' for name, value in shown.items())}" if shown else None


def _followed(chain: tuple[str, ...], names: Mapping[str, Any]) -> tuple[int, Any]:
    """How many links of a chain there are, and the value of the last one."""
    value: Any = names
    for length, key in enumerate(chain):
        if not isinstance(value, Mapping) or key not in value:
            return length, value
        value = value[key]
    return len(chain), value


def _sentence(error: UndefinedError) -> tuple[str, str]:
    """Jinja's sentence without the Python type in it, and the name that is missing, if it is one."""
    text = str(error.message or error)
    match = re.fullmatch(r"'?[\w. ]+'? has no (?:attribute|element) '?(.*?)'?", text)
    if match:
        return f"there is no '{match[1]}' here", match[1]
    match = re.fullmatch(r"'(.*)' is undefined", text)
    return (f"there is no '{match[1]}'" if match else text), ""


def chains_of(tree: nodes.Node) -> Iterator[tuple[str, ...]]:
    """The chains of names that code reads, such as ``('results', 'analyzeStepResult', 'verdicts')``."""
    if (chain := _chain(tree)) is not None:
        yield chain
        return
    for child in tree.iter_child_nodes():
        yield from chains_of(child)


def _chain(node: nodes.Node) -> tuple[str, ...] | None:
    if isinstance(node, nodes.Name) and node.ctx == "load":
        return (node.name,)
    if isinstance(node, nodes.Getattr) and (head := _chain(node.node)) is not None:
        return (*head, node.attr)
    return None


class Template(Program):
    """A prompt. ``render`` fails with a :class:`RecordError` and nothing else."""

    __slots__ = ()

    def render(self, names: Mapping[str, Any]) -> str:
        """Render with these names; data in them is text, never a template."""
        token = BUDGET.set(Budget())
        try:
            return concat(self._root(self.context(names)))
        except NotScorable:
            raise
        except Exception as error:  # whatever a template does fails its record, not the run
            raise self.failure(error, names) from error
        finally:
            BUDGET.reset(token)


def compile_template(
    environment: Environment, source: str, locate: Locate = nowhere, name: str | None = None
) -> Template:
    """Compile a template; ``name`` is what its includes are relative to.

    Raises:
        TemplateSyntaxError: jinja2's, with ``lineno`` and ``message``.
    """
    tree = environment.parse(source)
    template = JinjaTemplate.from_code(environment, environment.compile(tree, name=name), {})
    return Template(environment, source, environment.parse_unchanged(source), template, locate)


__all__ = ["Environment", "Locate", "Program", "Template", "TemplateError", "chains_of", "compile_template", "nowhere"]
