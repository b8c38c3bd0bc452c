"""A scorer file with everything it names by ``{file: …}`` put in its place, and where each part came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scorerkit.bundling import bundled, refers_to_files
from scorerkit.model.problem import Place, Problem, Related, Severity
from scorerkit.source import read_document, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path as FilePath

    from scorerkit.model.json import Json, Path
    from scorerkit.source.document import Document
    from scorerkit.source.project import Territory

TEXT_KEYS = ("prompt", "instructions")
DATA_KEYS = ("outputSchema", "judge")
TYPE_PARTS = ("input", "output", "groundTruth")
MAX_FILES = 64


@dataclass(slots=True)
class Definition:
    """The whole of one scorer as data, and the place of every key and value in it.

    Attributes:
        value: the root mapping with file contents in place of ``{file: …}``.
        origins: path in ``value`` → the document whose root stands there.
        includes: file → the template that some prompt includes.
        links: (including file, name as written) → included file.
    """

    document: Document
    territory: Territory
    value: dict[str, Json]
    origins: dict[Path, Document] = field(default_factory=dict)
    includes: dict[str, Document] = field(default_factory=dict)
    links: dict[tuple[str, str], str] = field(default_factory=dict)

    def get(self, *path: str | int) -> Json:
        """The value at a path; None where there is none."""
        found: Any = self.value
        for key in path:
            if isinstance(found, dict) and isinstance(key, str):
                found = found.get(key)
            elif isinstance(found, list) and isinstance(key, int) and key < len(found):
                found = found[key]
            else:
                return None
        return found

    def source(self, path: Path) -> tuple[Document, Path]:
        """The document in which a path stands, and the path inside it."""
        for length in range(len(path), 0, -1):
            if document := self.origins.get(path[:length]):
                return document, path[length:]
        return self.document, path

    def problem(
        self,
        code: str,
        path: Path,
        message: str,
        *,
        on: str = "value",
        why: str | None = None,
        fix: str | None = None,
        severity: Severity = "error",
        related: tuple[Related, ...] = (),
    ) -> Problem:
        """A problem at the key or the value of a path."""
        document, inside = self.source(path)
        if on == "key" and not inside and path:
            document, inside = self.source(path[:-1])
            inside = (*inside, path[-1])
        place = document.key_place(inside) if on == "key" else document.value_place(inside)
        return placed(document, place, code, message, why=why, fix=fix, severity=severity, related=related)

    def problem_in_text(
        self, code: str, path: Path, line: int, token: str | None, message: str, **more: Any
    ) -> Problem:
        """A problem inside a text value: a template or an expression."""
        document, place = self.text_place(path, line, token)
        return placed(document, place, code, message, **more)

    def text_place(self, path: Path, line: int, token: str | None) -> tuple[Document, Place]:
        """Where a line (and the token on it) of a text value stands in its file."""
        document, inside = self.source(path)
        return document, document.place_in_text(inside, line, token)

    def where(self, path: Path) -> dict[str, Json]:
        """Path and line of a value, as run-time errors carry it."""
        document, inside = self.source(path)
        return {"path": document.path, "line": document.value_place(inside).line}


def placed(document: Document, place: Place, code: str, message: str, **more: Any) -> Problem:
    """A problem with the lines of its file that show it."""
    return Problem(code, document.path, place, message, excerpt=document.excerpt(place), **more)


def assemble(document: Document, territory: Territory) -> tuple[Definition, list[Problem]]:
    """Put the content of files in place of ``{file: …}``; what cannot be read stays as it is and is a problem."""
    definition = Definition(document, territory, dict(document.value))
    problems: list[Problem] = []
    for path, kind in list(_slots(definition.value)):
        _fill(definition, path, kind, problems)
    for path in _schema_slots(definition.value):
        schema = definition.get(*path)
        if isinstance(schema, dict) and refers_to_files(schema):
            _bundle(definition, path, schema, problems)
    return definition, problems


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
    definition.origins |= {(*path, "$defs", key): document for key, document in documents.items()}


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
    definition.origins[path] = loaded


def _put(root: dict[str, Json], path: Path, value: Json) -> None:
    """Replace one value, copying the containers on the way: the document itself stays as it was read."""
    holder: Any = root
    for key in path[:-1]:
        holder[key] = dict(holder[key])
        holder = holder[key]
    holder[path[-1]] = value


def read_part(definition: Definition, base: Document, written: str, kind: str, path: Path) -> Document | list[Problem]:
    """Read a file that a definition names, under the path rule; problems point at the name."""
    found = definition.territory.resolve(base.file.parent, written)
    if isinstance(found, str):
        return [
            definition.problem(
                "outside-project", path, f"the file '{written}' may not be read: {found}",
                why="a definition reads files of its project only, relative to itself",
            )
        ]  # fmt: skip
    shown = _shown(base, found, written)
    loaded = read_text(found, shown) if kind == "text" else read_document(found, shown)
    if isinstance(loaded, list) and any(problem.code == "unreadable-file" for problem in loaded):
        return [definition.problem("unreadable-file", path, loaded[0].message, why=loaded[0].why, fix=loaded[0].fix)]
    return loaded


def _shown(base: Document, _found: FilePath, written: str) -> str:
    folder, slash, _ = base.path.rpartition("/")
    return f"{folder}{slash}{written}"
