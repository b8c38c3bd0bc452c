"""Code of a definition, ready to be called: functions imported, templates and expressions compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.errors import InvalidScorer, ScorerkitError
from scorerkit.expression import Expression, compile_expression
from scorerkit.reference import Namespace, Reference, Refusal, load, signature_of
from scorerkit.steps.calling import Call
from scorerkit.template import Environment, Locate, Template, compile_template
from scorerkit.template.environment import plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.definition import Definition
    from scorerkit.model.json import Json, Path
    from scorerkit.model.problem import Problem


def environment_of(definition: Definition) -> Environment:
    """The shared environment, or one of its own for a definition whose templates include others."""
    if not definition.includes:
        return plain()
    return Environment({key: document.value for key, document in definition.includes.items()}, definition.links)


def locate_in(definition: Definition, path: Path) -> Locate:
    """From a line of a template to its place in the file that holds it."""

    def locate(name: str | None, line: int) -> Json:
        included = definition.includes.get(name) if name else None
        if included is not None:
            return {"path": included.path, "line": line}
        document, place = definition.text_place(path, line, None)
        return {"path": document.path, "line": place.line}

    return locate


def template_at(definition: Definition, path: Path) -> Template:
    """The template at a path."""
    base = str(definition.source(path)[0].file)
    return compile_template(environment_of(definition), definition.get(*path), locate_in(definition, path), base)


def expression_at(definition: Definition, path: Path | None, source: str | None = None) -> Expression:
    """The expression at a path; or a text from elsewhere, which has no place in the definition."""
    if path is None:
        return compile_expression(plain(), str(source))
    return compile_expression(plain(), definition.get(*path), locate_in(definition, path))


def condition_at(definition: Definition, path: Path) -> Callable[[Any], Any]:
    """A ``when``: an expression, or a plain true or false."""
    written = definition.get(*path)
    if isinstance(written, bool):
        return lambda _names: written
    return expression_at(definition, path).evaluate


def callable_of(written: str, namespace: Namespace) -> Callable[..., Any]:
    """Import the function that a dotted name means.

    Raises:
        ScorerkitError: it may not be named, is not there, or its module fails when imported.
    """
    found = namespace.find(written)
    if isinstance(found, Refusal):
        raise ScorerkitError(found.message, code=found.code, why=found.why, fix=found.fix)
    try:
        return load(found, namespace.root)
    except LookupError as error:
        raise ScorerkitError(str(error.args[0]), code="unresolved-function") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may raise anything
        message = f"importing '{found.module}' raised {type(error).__name__}: {error}"
        raise ScorerkitError(message, code="unresolved-function") from error


def call_at(definition: Definition, path: Path, place: str, namespace: Namespace) -> Call:
    """The call of the function at a path, its arguments resolved."""
    written = definition.get(*path, "function")
    try:
        function = callable_of(written, namespace)
    except ScorerkitError as error:
        raise InvalidScorer([_unresolved(definition, path, error.message, error.code)]) from error
    signature = signature_of(function)
    if isinstance(signature, Refusal):
        message = f"'{written}' cannot be called: {signature.message}"
        raise InvalidScorer([_unresolved(definition, path, message, signature.code)])
    given = definition.get(*path, "with") or {}
    in_thread = bool(definition.get(*path, "thread"))
    return Call(function, signature.names, place, name=written, given=given, in_thread=in_thread)


def _unresolved(definition: Definition, path: Path, message: str, code: str | None) -> Problem:
    return definition.problem(code or "unresolved-function", (*path, "function"), message)


def digest_of(written: str, namespace: Namespace) -> str | None:
    """The hash of the module that a function of the project stands in; None for all others."""
    found = namespace.find(written)
    return found.digest() if isinstance(found, Reference) else None
