"""Keys in files: a scorer file is made to be shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.definition import placed
from scorerkit.model.problem import Place
from scorerkit.report.problems.masking import SECRET, SHOWN, hidden

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.check.advice.material import Material
    from scorerkit.model.problem import Problem
    from scorerkit.source.document import Document


def secret_in_file(material: Material) -> Iterator[Problem]:
    """Whatever is shaped like a key, in the scorer file and in every file that it reads; comments too."""
    definition = material.definition
    documents = definition.documents()
    for document in {str(document.file): document for document in documents}.values():
        yield from _secrets(document)


def _secrets(document: Document) -> Iterator[Problem]:
    for number, line in enumerate(document.page.lines, 1):
        for match in SECRET.finditer(line):
            place = Place(number, match.start() + 1, number, match.end() + 1)
            problem = placed(
                document, place, "secret-in-file", f"'{match[0][:SHOWN]}…' looks like a key", severity="warning",
                why="whoever gets the file, or its history, gets the key",
                fix="revoke it, and keep keys in environment variables",
            )  # fmt: skip
            yield hidden(problem)
