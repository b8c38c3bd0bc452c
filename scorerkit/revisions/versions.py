"""A scorer as it is or was: its definition, resolved and checked, with what identifies it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scorerkit.build.digest import judge_digest, scorer_digest
from scorerkit.build.functions import digest_of
from scorerkit.build.judges import resolve
from scorerkit.build.plan import prompt_steps
from scorerkit.check.references import functions_of
from scorerkit.errors import InvalidScorer, ScorerkitError
from scorerkit.loader import check_file, open_project
from scorerkit.revisions.git import take_out

if TYPE_CHECKING:
    from scorerkit.model.json import Json

WORD = re.compile(r"(.+?\.(?:ya?ml|toml))(?:@(.+))?", re.DOTALL | re.IGNORECASE)
"""``PATH`` or ``PATH@REVISION``; both may hold further ``@``."""


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a scorer.

    Attributes:
        texts: prompts and other templates in files that some prompt includes, by path in the project.
        functions: hash of the module by function, for those of the project.
    """

    shown: str
    value: dict[str, Json]
    digest: str
    judge_digest: str | None
    commit: str | None = None
    texts: dict[str, str] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)


def is_scorer(word: str) -> bool:
    """Whether a word of ``diff`` names a scorer file."""
    return WORD.fullmatch(word) is not None


def version_of(word: str, project: Path | None, folder: Path) -> Version:
    """The scorer that a word means; ``folder`` is where a revision is put, and its caller's to remove.

    Raises:
        InvalidScorer: the file has mistakes; its problems say where.
        ScorerkitError: there is no such file or revision.
    """
    found = WORD.fullmatch(word)
    assert found is not None
    written, revision = found[1], found[2]
    if revision is None:
        if word.endswith("@"):
            message = f"'{word}' names no revision"
            raise ScorerkitError(message, code="unknown-revision", fix="write it after the '@', or leave the '@' out")
        return _read(Path(written), word, project)
    root = open_project(project).root
    file = Path(os.path.abspath(written))  # noqa: PTH100 - the file may be gone by now, and links stay as they are
    for inside in (file, Path(os.path.realpath(file))):
        if inside.is_relative_to(root):
            relative = inside.relative_to(root)
            break
    else:
        message = f"'{written}' lies outside of the project at {root}, so that no revision of it is known"
        raise ScorerkitError(message, code="outside-project", fix="name its project with --project")
    commit = take_out(root, revision, folder)
    if not (folder / relative).is_file():
        message = f"there is no '{written}' at '{revision}'"
        raise ScorerkitError(message, code="unreadable-file", fix="name the path that it had then")
    return _read(folder / relative, word, folder, commit)


def _read(file: Path, shown: str, project: Path | None, commit: str | None = None) -> Version:
    settings = open_project(project)
    checked = check_file(file, shown, settings)
    if checked.errors or checked.definition is None:
        raise InvalidScorer(checked.errors)
    definition = checked.definition
    namespace = settings.namespace(trusted=definition.territory.trusted)
    functions = {}
    for named in functions_of(definition):
        written = definition.get(*named.path, named.key)
        if found := digest_of(written, namespace):
            functions[written] = found
    root = os.path.realpath(settings.root)
    return Version(
        shown=shown,
        value=definition.value,
        digest=scorer_digest(definition, namespace),
        judge_digest=judge_digest({step: resolve(definition, step, settings) for step in prompt_steps(definition)}),
        commit=commit,
        texts={os.path.relpath(name, root): str(text.value) for name, text in definition.includes.items()},
        functions=functions,
    )
