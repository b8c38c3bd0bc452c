"""A scorer as data, with the place of every key and value, whichever file holds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scorerkit.model.problem import Place, Problem, Related, Severity

if TYPE_CHECKING:
    from scorerkit.model.json import Json, Path
    from scorerkit.source.document import Document
    from scorerkit.source.project import Territory


@dataclass(slots=True)
class Definition:
    """The whole of one scorer as data, and the place of every key and value in it.

    Attributes:
        value: the root mapping with file contents in place of ``{file: …}``.
        origins: path in ``value`` → the document that holds it, and its path in that document.
        territories: file → what it may read, where that differs from ``territory``: parents and what they name.
        includes: file → the template that some prompt includes.
        links: (including file, name as written) → included file.
    """

    document: Document
    territory: Territory
    value: dict[str, Json]
    origins: dict[Path, tuple[Document, Path]] = field(default_factory=dict)
    territories: dict[str, Territory] = field(default_factory=dict)
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
            if origin := self.origins.get(path[:length]):
                document, base = origin
                return document, (*base, *path[length:])
        return self.document, path

    def documents(self) -> list[Document]:
        """Every file that is part of the definition, each once."""
        every = [self.document, *(document for document, _ in self.origins.values()), *self.includes.values()]
        return list({str(document.file): document for document in every}.values())

    def territory_of(self, document: Document) -> Territory:
        """What a part of the definition may read."""
        return self.territories.get(str(document.file), self.territory)

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
