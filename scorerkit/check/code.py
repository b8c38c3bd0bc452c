"""Where a definition holds code: its templates and expressions, and what names each may use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from scorerkit.model.stage import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.json import Path


class Code(NamedTuple):
    """One template or expression: its path, its text, and the places whose names it may use."""

    path: Path
    source: str
    kind: Literal["template", "expression"]
    places: tuple[str, ...]


def code_of(definition: Definition) -> Iterator[Code]:
    """All code of a definition, in the order of the pipeline."""
    yield from _data(definition)
    yield from _prepare(definition)
    for index, _ in enumerate(definition.get("notScorable") or ()):
        yield from _expression(definition, ("notScorable", index, "when"), "notScorable")
    steps = [step for step in STEPS if definition.get("steps", step) is not None]
    asked = [step for step in steps if definition.get("steps", step, "prompt") is not None]
    own = [step for step in asked if definition.get("steps", step, "judge", "instructions") is not None]
    shared = tuple(step for step in asked if step not in own)
    yield from _template(definition, ("judge", "instructions"), *(shared or STEPS[:1]))
    yield from _delays(definition, ("judge",))
    for step in steps:
        yield from _step(definition, step)


def _step(definition: Definition, step: str) -> Iterator[Code]:
    path = ("steps", step)
    yield from _expression(definition, (*path, "when"), step)
    yield from _template(definition, (*path, "prompt"), step)
    yield from _expression(definition, (*path, "expression"), step)
    yield from _expression(definition, (*path, "calculateScore", "expression"), f"{step}.calculateScore")
    yield from _template(definition, (*path, "judge", "instructions"), step)
    yield from _delays(definition, (*path, "judge"))


def _data(definition: Definition) -> Iterator[Code]:
    data = definition.get("data")
    if isinstance(data, dict):
        for field in data.get("map") or ():
            yield from _expression(definition, ("data", "map", field, "expression"), "data.map")
        yield from _expression(definition, ("data", "where"), "data.where")


def _prepare(definition: Definition) -> Iterator[Code]:
    prepare = definition.get("prepareRun")
    if isinstance(prepare, list):
        for index, _ in enumerate(prepare):
            yield from _expression(definition, ("prepareRun", index, "expression"), "prepareRun")
    else:
        yield from _expression(definition, ("prepareRun", "expression"), "prepareRun")


def _delays(definition: Definition, judge: Path) -> Iterator[Code]:
    for index, processor in enumerate(definition.get(*judge, "errorProcessors") or ()):
        options = (*judge, "errorProcessors", index, "with")
        yield from _expression(definition, (*options, "delayMs", "expression"), "delayMs")
        for number, _ in enumerate((processor.get("with") or {}).get("matchers") or ()):
            yield from _expression(definition, (*options, "matchers", number, "delayMs", "expression"), "delayMs")


def _template(definition: Definition, path: Path, *places: str) -> Iterator[Code]:
    source = definition.get(*path)
    if isinstance(source, str):
        yield Code(path, source, "template", places)


def _expression(definition: Definition, path: Path, *places: str) -> Iterator[Code]:
    source = definition.get(*path)
    if isinstance(source, str):
        yield Code(path, source, "expression", places)
