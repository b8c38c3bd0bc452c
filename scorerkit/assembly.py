"""From one scorer file to the whole definition: its parent, the files it names, the schemas those refer to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from scorerkit.bundling import bundled, refers_to_files
from scorerkit.definition import Definition
from scorerkit.inheritance import merged, without
from scorerkit.source import read_document, read_text

if TYPE_CHECKING:
    from pathlib import Path as FilePath

    from scorerkit.model.json import Json, Path
    from scorerkit.model.problem import Problem
    from scorerkit.source.document import Document
    from scorerkit.source.project import Territory

FindParent = Callable[[str], "FilePath | str"]
"""The file of a library id; None where no scorer has it."""

TEXT_KEYS = ("prompt", "instructions")
DATA_KEYS = ("outputSchema", "judge")
TYPE_PARTS = ("input", "output", "groundTruth")
SUFFIXES = (".yaml", ".yml", ".toml")
MAX_PARENTS = 16


def assemble(
    document: Document, territory: Territory, find: FindParent | None = None, chain: tuple[FilePath, ...] = ()
) -> tuple[Definition, list[Problem]]:
    """Bring in the parent and the files that a definition names; what cannot be read stays as it is and is a problem.

    ``find`` gives the file of a library id; ``chain`` holds the files whose parent this is.
    """
    definition = Definition(document, territory, dict(document.value))
    problems: list[Problem] = []
    if isinstance(document.value.get("extends"), str):
        _inherit(definition, find, (*chain, document.file), problems)
    for path, kind in list(_slots(definition.value)):
        if definition.source(path)[0] is document:
            _fill(definition, path, kind, problems)
    for path in _schema_slots(definition.value):
        schema = definition.get(*path)
        if isinstance(schema, dict) and refers_to_files(schema):
            _bundle(definition, path, schema, problems)
    return definition, problems


def _inherit(
    definition: Definition, find: FindParent | None, chain: tuple[FilePath, ...], problems: list[Problem]
) -> None:
    """Merge the parent in; its problems are those of the child."""
    file = _parent_file(definition, find, problems)
    if file is None:
        return
    if file in chain or len(chain) > MAX_PARENTS:
        names = " → ".join(entry.name for entry in (*chain, file))
        message = f"'{definition.value['extends']}' extends this scorer in turn: {names}"
        problems.append(definition.problem("extends-cycle", ("extends",), message))
        return
    loaded = read_document(file, _shown_parent(definition, file))
    if isinstance(loaded, list):
        problems += loaded
        return
    parent, found = assemble(loaded, definition.territory.of(file), find, chain)
    problems += found
    _take_over(definition, parent, problems)


def _parent_file(definition: Definition, find: FindParent | None, problems: list[Problem]) -> FilePath | None:
    """The file that ``extends`` means: a path under the path rule, or the file of a library id."""
    written = definition.value["extends"]
    if not written.endswith(SUFFIXES):
        found = find(written) if find is not None else ""
        if isinstance(found, str):
            message = f"no scorer has the id '{written}'"
            fix = found or "name a file, or an id that 'scorerkit list' shows"
            problems.append(definition.problem("unreadable-file", ("extends",), message, fix=fix))
            return None
        return found
    resolved = definition.territory.resolve(definition.document.file.parent, written)
    if isinstance(resolved, str):
        problems.append(_refused(definition, ("extends",), written, resolved))
        return None
    if not resolved.is_file():
        message = f"there is no file '{written}'"
        problems.append(definition.problem("unreadable-file", ("extends",), message))
        return None
    return resolved


def _shown_parent(definition: Definition, file: FilePath) -> str:
    written = definition.value["extends"]
    return _shown(definition.document, written) if written.endswith(SUFFIXES) else str(file)


def _take_over(definition: Definition, parent: Definition, problems: list[Problem]) -> None:
    left_out = definition.value.get("without")
    given, child = parent.value, definition.value
    if isinstance(left_out, list) and all(isinstance(path, str) for path in left_out):
        given, unknown = without(given, left_out)
        problems += [_unknown_without(definition, index) for index in unknown]
        child = {key: item for key, item in child.items() if key != "without"}
    child = {key: item for key, item in child.items() if key != "extends"}
    whole = merged(child, given)
    definition.value = whole.value
    definition.includes |= parent.includes
    definition.links |= parent.links
    for document in parent.documents():
        definition.territories[str(document.file)] = parent.territory_of(document)
    definition.origins |= {path: parent.source(path) for path in whole.inherited}
    inside = {path for path in parent.origins if any(path[: len(top)] == top for top in whole.inherited)}
    definition.origins |= {path: parent.origins[path] for path in inside}


def _unknown_without(definition: Definition, index: int) -> Problem:
    path = definition.value["without"][index]
    message = f"the parent has no '{path}'"
    fix = "name a key path such as 'steps.generateReason'"
    return definition.problem("unknown-value", ("without", index), message, fix=fix)


def _schema_slots(value: dict[str, Json]) -> Iterator[Path]:
    """Where schemas stand."""
    if isinstance(value.get("type"), dict):
        yield from (("type", part) for part in TYPE_PARTS)
    params, steps = value.get("params"), value.get("steps")
    yield from (("params", name) for name in (params if isinstance(params, dict) else ()))
    yield from (("steps", step, "outputSchema") for step in (steps if isinstance(steps, dict) else ()))


def _bundle(definition: Definition, path: Path, schema: dict[str, Json], problems: list[Problem]) -> None:
    """Bring the files that a schema refers to into it, each with its own origin."""

    def load(base: Document, written: str, inside: Path) -> Document | None:
        owner = definition.source(path)[0]
        where = (*path, *inside) if base is owner else path
        loaded = read_part(definition, base, written, "data", where)
        if isinstance(loaded, list):
            problems.extend(loaded)
            return None
        return loaded

    whole, documents = bundled(schema, definition.source(path)[0], load)
    _put(definition.value, path, whole)
    definition.origins |= {(*path, "$defs", key): (document, ()) for key, document in documents.items()}


def _slots(value: dict[str, Json]) -> Iterator[tuple[Path, str]]:
    """Where ``{file: …}`` may stand, outermost first."""
    if isinstance(value.get("type"), dict):
        yield from ((("type", part), "data") for part in TYPE_PARTS)
    yield ("judge",), "data"
    yield ("judge", "instructions"), "text"
    steps = value.get("steps")
    for step in steps if isinstance(steps, dict) else ():
        for key in ("prompt", "outputSchema", "judge"):
            yield ("steps", step, key), "text" if key in TEXT_KEYS else "data"
        yield ("steps", step, "judge", "instructions"), "text"


def _fill(definition: Definition, path: Path, kind: str, problems: list[Problem]) -> None:
    written = definition.get(*path)
    if not (isinstance(written, dict) and set(written) == {"file"} and isinstance(written["file"], str)):
        return
    base, _ = definition.source(path)
    loaded = read_part(definition, base, written["file"], kind, (*path, "file"))
    if isinstance(loaded, list):
        problems += loaded
        return
    _put(definition.value, path, loaded.value)
    definition.origins[path] = loaded, ()


def _put(root: dict[str, Json], path: Path, value: Json) -> None:
    """Replace one value, copying the containers on the way: the document itself stays as it was read."""
    holder: Any = root
    for key in path[:-1]:
        holder[key] = dict(holder[key])
        holder = holder[key]
    holder[path[-1]] = value


def read_part(definition: Definition, base: Document, written: str, kind: str, path: Path) -> Document | list[Problem]:
    """Read a file that a definition names, under the path rule; problems point at the name."""
    found = definition.territory_of(base).resolve(base.file.parent, written)
    if isinstance(found, str):
        return [_refused(definition, path, written, found)]
    shown = _shown(base, written)
    loaded = read_text(found, shown) if kind == "text" else read_document(found, shown)
    if isinstance(loaded, list) and any(problem.code == "unreadable-file" for problem in loaded):
        return [definition.problem("unreadable-file", path, loaded[0].message, why=loaded[0].why, fix=loaded[0].fix)]
    return loaded


def _refused(definition: Definition, path: Path, written: str, reason: str) -> Problem:
    message = f"the file '{written}' may not be read: {reason}"
    why = "a definition reads files of its project only, relative to itself"
    return definition.problem("outside-project", path, message, why=why)


def _shown(base: Document, written: str) -> str:
    folder, slash, _ = base.path.rpartition("/")
    return f"{folder}{slash}{written}"
