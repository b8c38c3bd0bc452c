"""Functions that a definition names: do they exist, may they be called, do their arguments exist. Imports nothing."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.judge.processors import builtin_names
from scorerkit.model.stage import STEPS
from scorerkit.reference import Namespace, Reference, Refusal, Signature, read_signature
from scorerkit.steps.calling import AVAILABLE
from scorerkit.suggest import closest, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem

PROCESSORS = {"inputProcessors": "input", "outputProcessors": "output", "errorProcessors": "error"}
PROCESSOR_ARGUMENTS = {
    "inputProcessors": ("messages",),
    "outputProcessors": ("answer",),
    "errorProcessors": ("error", "retry_count"),
}


class Named(NamedTuple):
    """A function that a definition names: where, and which arguments there are for it."""

    path: Path
    key: str
    available: tuple[str, ...]
    place: str


def functions_of(definition: Definition) -> Iterator[Named]:
    """Every ``function`` (and ``use`` that is no built-in processor) of a definition."""
    prepare = definition.get("prepareRun")
    entries: list[Path] = [("prepareRun",)]
    if isinstance(prepare, list):
        entries = [("prepareRun", index) for index, _ in enumerate(prepare)]
    for path in entries:
        yield from _at(definition, path, AVAILABLE["prepareRun"], "prepareRun")
    yield from _judge(definition, ("judge",))
    for step in STEPS:
        path = ("steps", step)
        if definition.get(*path) is None:
            continue
        yield from _at(definition, path, AVAILABLE[step], step)
        yield from _at(definition, (*path, "prompt"), AVAILABLE[step], step)
        yield from _at(definition, (*path, "calculateScore"), AVAILABLE["calculateScore"], "calculateScore")
        yield from _judge(definition, (*path, "judge"))


def _judge(definition: Definition, path: Path) -> Iterator[Named]:
    for key, kind in PROCESSORS.items():
        for index, entry in enumerate(definition.get(*path, key) or ()):
            where = (*path, key, index)
            if entry["use"] not in builtin_names(kind):  # type: ignore[arg-type]
                yield Named(where, "use", PROCESSOR_ARGUMENTS[key], key)
            options = (*where, "with")
            yield from _at(definition, (*options, "delayMs"), ("retry_count",), "delayMs")
            for number, _ in enumerate(definition.get(*options, "matchers") or ()):
                matcher = (*options, "matchers", number)
                yield from _at(definition, matcher, ("error",), "matchers")
                yield from _at(definition, (*matcher, "delayMs"), ("retry_count",), "delayMs")


def _at(definition: Definition, path: Path, available: tuple[str, ...], place: str) -> Iterator[Named]:
    if isinstance(definition.get(*path, "function"), str):
        yield Named(path, "function", available, place)


def check_references(definition: Definition, namespace: Namespace) -> Iterator[Problem]:
    """Every function that cannot be found or called."""
    for named in functions_of(definition):
        written = definition.get(*named.path, named.key)
        if named.key == "use" and "." not in written and ":" not in written:
            kind = PROCESSORS[named.place]
            names = builtin_names(kind)  # type: ignore[arg-type]
            close = closest(written, names)
            fix = f"did you mean '{close}'?" if close else f"use one of {listed(names)}, or package.module.name"
            where = (*named.path, "use")
            yield definition.problem("unknown-value", where, f"there is no {kind} processor '{written}'", fix=fix)
            continue
        found = namespace.find(written)
        signature = read_signature(found) if isinstance(found, Reference) else found
        if isinstance(signature, Refusal):
            code, message, why, fix_ = signature
            yield definition.problem(code, (*named.path, named.key), message, why=why, fix=fix_)
        elif signature is not None and named.key == "function":
            yield from check_arguments(definition, named, written, signature)


def check_arguments(definition: Definition, named: Named, written: str, signature: Signature) -> Iterator[Problem]:
    """What the function wants and does not get, and what it is given and does not want."""
    given = definition.get(*named.path, "with") or {}
    available = (*named.available, *given)
    for name in signature.required:
        if name not in available:
            close = closest(name, available)
            fix = f"did you mean '{close}'?" if close else f"use {listed(named.available)}, or give it under 'with'"
            message = f"'{written}' wants '{name}', which {named.place} does not have"
            yield definition.problem("unknown-name", (*named.path, named.key), message, fix=fix)
    for name in given:
        if name in named.available:
            message = f"'with' gives '{name}', which every {named.place} has already"
        elif not signature.open and name not in signature.names:
            message = f"'{written}' has no argument '{name}'"
        elif not name.isidentifier() or keyword.iskeyword(name):
            message = f"'{name}' cannot be the name of an argument"
        else:
            continue
        close = closest(name, [each for each in signature.names if each not in available])
        fix = f"did you mean '{close}'?" if close else "remove it"
        yield definition.problem("unknown-key", (*named.path, "with", name), message, on="key", fix=fix)
